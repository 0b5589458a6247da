#pragma once

#include "integrate/single_body/all_schemes.h"

#include <array>
#include <limits>

/// What the schemes themselves give, computed independently in 80-bit arithmetic with Newton's method driven
/// to round-off by automatic derivatives, from the formulas of the papers as printed (nine or more unknowns):
/// 10 digits in the tables, 13 in the end states.
namespace polhode::single_body::reference {

/// The heavy top (cases.h) after `steps` steps to t = 0.1: |d3 - d3 of the steady precession|.
struct TopError {
  int steps;
  double error;  // not a number where the scheme's equations have no solution
};
using TopErrors = std::array<TopError, 9>;
inline constexpr double noSolution = std::numeric_limits<double>::quiet_NaN();

template <class Scheme>
inline constexpr bool hasTopErrors = false;
template <class Scheme>
inline constexpr TopErrors topErrors{};

template <>
inline constexpr bool hasTopErrors<Eml> = true;
template <>
inline constexpr TopErrors topErrors<Eml>{{{10, 0.1389513151},
                                           {14, 0.07054016748},
                                           {15, 0.06171363987},
                                           {20, 0.03429604162},
                                           {50, 0.005435964753},
                                           {100, 0.001356848502},
                                           {200, 0.0003390752579},
                                           {400, 8.476021438e-05},
                                           {1000, 1.356124849e-05}}};

template <>
inline constexpr bool hasTopErrors<QuaternionEm> = true;
template <>
inline constexpr TopErrors topErrors<QuaternionEm>{{{10, 0.263085142},
                                                    {14, 0.1438425335},
                                                    {15, 0.1264365878},
                                                    {20, 0.07300205742},
                                                    {50, 0.01200189751},
                                                    {100, 0.003011831011},
                                                    {200, 0.0007536659713},
                                                    {400, 0.0001884607311},
                                                    {1000, 3.015569855e-05}}};

template <>
inline constexpr bool hasTopErrors<Mpl> = true;
template <>
inline constexpr TopErrors topErrors<Mpl>{{{10, 0.06803644198},
                                           {14, 0.03133639256},
                                           {15, 0.02697034748},
                                           {20, 0.01466577518},
                                           {50, 0.002268212875},
                                           {100, 0.0005644213879},
                                           {200, 0.0001409423506},
                                           {400, 3.522542344e-05},
                                           {1000, 5.635612656e-06}}};

template <>
inline constexpr bool hasTopErrors<Mph> = true;
template <>
inline constexpr TopErrors topErrors<Mph>{{{10, 0.1466672572},
                                           {14, 0.0860469711},
                                           {15, 0.07654521453},
                                           {20, 0.04599007047},
                                           {50, 0.007962996989},
                                           {100, 0.002014908628},
                                           {200, 0.0005052656867},
                                           {400, 0.0001264130362},
                                           {1000, 2.023041938e-05}}};

template <>
inline constexpr bool hasTopErrors<MphInverse> = true;
template <>
inline constexpr TopErrors topErrors<MphInverse>{{{10, 0.06803644198},
                                                  {14, 0.03133639256},
                                                  {15, 0.02697034748},
                                                  {20, 0.01466577518},
                                                  {50, 0.002268212875},
                                                  {100, 0.0005644213879},
                                                  {200, 0.0001409423506},
                                                  {400, 3.522542344e-05},
                                                  {1000, 5.635612657e-06}}};

template <>
inline constexpr bool hasTopErrors<QuaternionVi> = true;
template <>
inline constexpr TopErrors topErrors<QuaternionVi>{{{10, noSolution},
                                                    {14, noSolution},
                                                    {15, 0.05341771607},
                                                    {20, 0.02206242031},
                                                    {50, 0.00294113869},
                                                    {100, 0.0007200031597},
                                                    {200, 0.0001790833946},
                                                    {400, 4.471407116e-05},
                                                    {1000, 7.151714092e-06}}};

template <>
inline constexpr bool hasTopErrors<DirectorEm> = true;
template <>
inline constexpr TopErrors topErrors<DirectorEm>{{{10, 0.02352196943},
                                                  {14, 0.0124579985},
                                                  {15, 0.01114844604},
                                                  {20, 0.006248967805},
                                                  {50, 0.001017204115},
                                                  {100, 0.0002548543544},
                                                  {200, 6.374730849e-05},
                                                  {400, 1.593892065e-05},
                                                  {1000, 2.550320933e-06}}};

template <>
inline constexpr bool hasTopErrors<SimoWong> = true;
template <>
inline constexpr TopErrors topErrors<SimoWong>{{{10, 0.2666303828},
                                                {14, 0.1391937086},
                                                {15, 0.1215481847},
                                                {20, 0.06879958451},
                                                {50, 0.01106485459},
                                                {100, 0.002767874081},
                                                {200, 0.0006920686204},
                                                {400, 0.0001730233538},
                                                {1000, 2.768401365e-05}}};

template <>
inline constexpr bool hasTopErrors<Reml> = true;
template <>
inline constexpr TopErrors topErrors<Reml> = topErrors<Eml>;

template <>
inline constexpr bool hasTopErrors<NullEml> = true;
template <>
inline constexpr TopErrors topErrors<NullEml> = topErrors<Eml>;

template <>
inline constexpr bool hasTopErrors<QuaternionEmNine> = true;
template <>
inline constexpr TopErrors topErrors<QuaternionEmNine> = topErrors<QuaternionEm>;

/// The free body (cases.h) after 40 steps of h = 0.05. Directors are the columns of R, given row by row.
struct FreeEnd {
  std::array<double, 9> R;
  std::array<double, 4> v, p;  // quaternion velocity and momentum in space; zero where the scheme has none
};

inline constexpr FreeEnd quaternionEm{
    {{-0.457622033945098, 0.6877512188972774, 0.5635426647142706, 0.6448959700118128, 0.6930641406147005,
      -0.3221355069788642, -0.6121203001947204, 0.21601008749434814, -0.7606894111200769}},
    {{10.40174993725319, 7.570067229015599, -7.578709277424548, 2.3812562912972233}},
    {{316.1338516806948, 70.98668104065088, -160.83712992212915, -18.753574986479226}}};
inline constexpr FreeEnd directorEm{
    {{0.8996586908185282, -0.2244236056559446, 0.3744973768387129, 0.41976204625698227, 0.6805028529654408,
      -0.6005961135638881, -0.12005858801786297, 0.697531298459274, 0.7064248177356712}},
    {},
    {}};
/// The velocities of the three directors in space, one after the other.
inline constexpr std::array<double, 9> directorVelocities{{-3.7216066238652856, 0.7475047366971825, -15.691634792561029,
                                                           21.967413195609833, -5.844601883394817, 23.632575961472,
                                                           21.173732776427748, -4.2291105222008, -15.055220903528888}};
inline constexpr FreeEnd eml{
    {{0.81960928397887, 0.5406264913661986, -0.18964076156965207, -0.5271370284834341, 0.5819369667708804,
      -0.6192543257072675, -0.2244263238064981, 0.6075132620269132, 0.7619451828341196}},
    {{-5.5292257404625085, -1.6058837191987834, 13.041121994371265, -2.650308692970976}},
    {{-8.493061176611144, 9.490606701088792, 361.9830311206787, -2.4660650805197233}}};
inline constexpr FreeEnd mpl{
    {{-0.9044443223111601, -0.14430345996967603, -0.40144361905488857, -0.3911967009606776, 0.6558729464638613,
      0.6455972577809598, 0.17013409122391832, 0.740950193695631, -0.6496516000640793}},
    {{-11.98815881497598, 2.8695552137541127, -5.67274681622533, 6.696817593378858}},
    {{-315.1628106326093, -2.815971097127324, -115.41127240915777, 136.17896791293938}}};

}  // namespace polhode::single_body::reference
