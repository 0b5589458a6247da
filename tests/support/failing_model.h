#pragma once

namespace polhode::test {

/// Two bodies, of which the first is pulled by a load that has no value from t = 0.1 on.
inline const char* const modelThatFails = R"toml(
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
position = [3, 0, 1]
[[force]]
name = "bad"
type = "load"
body = "a"
force = [1, 0, 0]
scale = { formula = "sqrt(0.1 - t)" }
[simulation]
integrator = "director-em"
step = 0.01
)toml";

}  // namespace polhode::test
