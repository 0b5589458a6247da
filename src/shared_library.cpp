// The shared library is the static one as a whole (cmake/install.cmake); it needs a source of its own.
