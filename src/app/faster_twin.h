#pragma once

/// Packages hold the program twice: one that runs on every processor, and its faster twin for those with AVX2 and FMA, in
/// ../libexec/polhode/x86-64-v3 beside it. The first one, where it finds that the other can run, becomes the other.
namespace polhode::app {

/// Does not return where there is a twin that this processor can run. POLHODE_PLAIN in the environment forbids it.
void handOverToFasterTwin(char** arguments);

}  // namespace polhode::app
