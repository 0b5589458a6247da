# Writes OUTPUT, a C++ source that holds the model files FILES (a list) as raw strings.

set(source "#include \"io/examples.h\"\n\nnamespace polhode {\n\n")
string(APPEND source "const std::vector<Example>& examples() {\n  static const std::vector<Example> all = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND source "      {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
string(APPEND source "  };\n  return all;\n}\n\n}  // namespace polhode\n")
file(WRITE ${OUTPUT} "${source}")
