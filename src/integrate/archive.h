#pragma once

#include "polhode/error.h"
#include "polhode/math/types.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The complete state of something that goes on later exactly as it would have gone on now, as bytes. One function says
/// what belongs to it, for saving and for restoring alike:
///
///     void persist(Archive& archive) { archive.section("dopri5"); archive(t_, h_, y_, k1_); }
///
/// What follows from the model and the settings does not belong to it: whoever restores has made the same thing anew from
/// these. Numbers are kept bit by bit.
namespace polhode {

class Archive {
 public:
  /// To save into.
  Archive() = default;
  /// To restore from what was saved.
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), restores_(true) {}

  bool restores() const { return restores_; }
  const std::string& bytes() const { return bytes_; }

  /// Where another part begins; one that was saved by another kind of stepper, or another version, is refused.
  void section(std::string_view name) {
    std::string found(name);
    (*this)(found);
    if (found != name)
      throw InputError("the checkpoint was saved by '" + found.substr(0, 40) + "' and does not fit '" +
                       std::string(name) + "'; begin the run anew");
  }

  /// At the end of restoring.
  void requireEnd() const {
    if (restores_ && at_ != bytes_.size())
      throw InputError("the checkpoint holds more than this version knows; begin the run anew");
  }

  template <class... Values>
  void operator()(Values&... values) {
    (value(values), ...);
  }

  /// Numbers in a struct without pointers, such as a state of fixed size.
  template <class Plain>
  void plain(Plain& object) {
    copy(&object, sizeof object);
  }

 private:
  template <class Number>
  requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void value(Number& number) {
    copy(&number, sizeof number);
  }

  void value(std::string& text) {
    std::uint64_t size = text.size();
    value(size);
    if (restores_) {
      if (size > bytes_.size() - at_) throwCut();
      text.resize(size);
    }
    copy(text.data(), size);
  }

  template <class Scalar, int Rows, int Columns, int Options, int MostRows, int MostColumns>
  void value(Eigen::Matrix<Scalar, Rows, Columns, Options, MostRows, MostColumns>& matrix) {
    std::int64_t rows = matrix.rows(), columns = matrix.cols();
    (*this)(rows, columns);
    if (restores_) {
      if (rows < 0 || columns < 0 || (Rows >= 0 && rows != Rows) || (Columns >= 0 && columns != Columns) ||
          static_cast<std::uint64_t>(rows) > bytes_.size() || static_cast<std::uint64_t>(columns) > bytes_.size() ||
          static_cast<std::uint64_t>(rows * columns) * sizeof(Scalar) > bytes_.size() - at_)
        throwCut();
      matrix.resize(rows, columns);
    }
    copy(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(Scalar));
  }

  template <class Value, std::size_t Size>
  void value(std::array<Value, Size>& values) {
    for (Value& each : values) value(each);
  }

  template <class Value, std::size_t Size>
  void value(Value (&values)[Size]) {
    for (Value& each : values) value(each);
  }

  template <class Value>
  void value(std::vector<Value>& values) {
    sequence(values);
  }

  template <class Value>
  void value(std::deque<Value>& values) {
    sequence(values);
  }

  template <class Value>
  void value(std::optional<Value>& maybe) {
    bool has = maybe.has_value();
    value(has);
    if (restores_) has ? void(maybe.emplace()) : maybe.reset();
    if (has) value(*maybe);
  }

  /// Whatever says itself what belongs to it; otherwise a struct of numbers.
  template <class Object>
  requires(std::is_class_v<Object>) void value(Object& object) {
    if constexpr (requires { object.persist(*this); })
      object.persist(*this);
    else {
      static_assert(std::is_trivially_destructible_v<Object>, "give it a function persist(Archive&)");
      plain(object);
    }
  }

  template <class Sequence>
  void sequence(Sequence& values) {
    std::uint64_t size = values.size();
    value(size);
    if (restores_) {
      if (size > bytes_.size() - at_) throwCut();
      values.resize(size);
    }
    for (auto& each : values) value(each);
  }

  void copy(void* object, std::size_t size) {
    if (size == 0) return;
    if (!restores_) {
      bytes_.append(static_cast<const char*>(object), size);
      return;
    }
    if (size > bytes_.size() - at_) throwCut();
    std::memcpy(object, bytes_.data() + at_, size);
    at_ += size;
  }

  [[noreturn]] static void throwCut() { throw InputError("the checkpoint is damaged; begin the run anew"); }

  std::string bytes_;
  std::size_t at_ = 0;
  bool restores_ = false;
};

}  // namespace polhode
