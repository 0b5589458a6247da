#include "server/frame.h"

#include <array>
#include <bit>
#include <cstring>

namespace polhode::live {

static_assert(std::endian::native == std::endian::little, "frames are sent as the numbers lie in memory");

namespace {

void append(std::string& bytes, const double* numbers, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(numbers), count * sizeof(double));
}

}  // namespace

std::string packFrame(double sequence, const Observation& o, const Timing& timing,
                      const std::optional<Pulled>& pulled) {
  const Vector3 &p = o.linearMomentum, &L = o.angularMomentum;
  const Pulled hand = pulled.value_or(Pulled{});
  const std::array<double, frameHead> head = {sequence,
                                              o.time,
                                              o.kineticEnergy,
                                              o.potentialEnergy,
                                              p[0],
                                              p[1],
                                              p[2],
                                              L[0],
                                              L[1],
                                              L[2],
                                              o.positionViolation,
                                              o.velocityViolation,
                                              timing.realTimeFactor,
                                              timing.meanStep,
                                              timing.worstStep,
                                              timing.load,
                                              pulled ? static_cast<double>(hand.body) : -1.0,
                                              hand.point[0],
                                              hand.point[1],
                                              hand.point[2],
                                              hand.target[0],
                                              hand.target[1],
                                              hand.target[2],
                                              hand.force[0],
                                              hand.force[1],
                                              hand.force[2],
                                              o.work,
                                              hand.torque[0],
                                              hand.torque[1],
                                              hand.torque[2],
                                              static_cast<double>(o.bodies.size())};
  std::string bytes;
  bytes.reserve((frameHead + frameBody * o.bodies.size()) * sizeof(double));
  append(bytes, head.data(), head.size());
  for (const Body& body : o.bodies) {
    append(bytes, body.position.data(), 3);
    append(bytes, body.orientation.data(), 4);
  }
  for (const SensorObservation& sensor : o.sensors) append(bytes, sensor.values.data(), sensor.values.size());
  return bytes;
}

std::string onTheWire(std::string_view frame) {
  constexpr std::size_t countAt = frameHead - 1;
  const auto at = [&](std::size_t i) {
    double number;
    std::memcpy(&number, frame.data() + i * sizeof(double), sizeof(double));
    return number;
  };
  const std::size_t ofBodies = frameBody * static_cast<std::size_t>(at(countAt));
  std::string bytes(frame.substr(0, frameHead * sizeof(double)));
  bytes.append(frame.substr((frameHead + ofBodies) * sizeof(double)));
  for (std::size_t i = frameHead; i < frameHead + ofBodies; ++i) {
    const float number = static_cast<float>(at(i));
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return bytes;
}

}  // namespace polhode::live
