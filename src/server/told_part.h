#pragma once

#include "server/finished_run.h"
#include "server/part_settings.h"

#include <string>

/// What a finished run tells of one part of its model: the columns of its recording, one row for each frame, and of bodies what follows
/// from them (body_numbers.h). Pages ask for it by its part, `GET /run/body/3`, and get
///
///     8 bytes: the length of the text, a multiple of eight, as a 64-bit floating-point number
///     the text: {"kind": "body", "index": 3, "properties": [["mass", "300 kg"], ..], "width": 23,
///                "quantities": [{"name": "position", "unit": "m", "start": 0, "components": ["x", "y", "z"]}, ..]}
///     `width` 64-bit numbers for each frame, those of a quantity from its `start` on
namespace polhode::live {

/// Throws InputError where the run's model has no such part.
std::string toldPart(const FinishedRun& run, const Part& part);

}  // namespace polhode::live
