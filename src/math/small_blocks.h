#pragma once

#include <array>
#include <cstddef>

/// Arithmetic of small dense blocks, stored by columns, with up to six rows and columns. There is one function for each
/// combination of sizes, so that the compiler knows them and unrolls every loop.
namespace polhode::small_blocks {

constexpr int largest = 6;
constexpr std::size_t combinations = largest * largest * largest;

/// target += left * right.
using AddProduct = void (*)(double* target, const double* left, const double* right);
extern const std::array<AddProduct, combinations> products;

inline AddProduct addProduct(int rows, int inner, int columns) {
  return products[static_cast<std::size_t>(((rows - 1) * largest + inner - 1) * largest + columns - 1)];
}

/// The inverse of a square block; not finite if the block is singular.
using Invert = void (*)(const double* block, double* inverse);
Invert invert(int size);

}  // namespace polhode::small_blocks
