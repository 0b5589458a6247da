#include "hdf5_steady_driver.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polhode {
namespace {

constexpr std::size_t superblockSize = 48;
using Superblock = std::array<unsigned char, superblockSize>;

/// A write that did not reach the disk.
struct Kept {
  haddr_t address;
  std::vector<unsigned char> bytes;
};

/// HDF5 sees the first member only.
struct SteadyFile {
  H5FD_t common;
  int descriptor;
  haddr_t allocated;  // as far as HDF5 has given out addresses
  haddr_t length;     // on the disk
  bool hasSuperblock;
  Superblock superblock;
  int error;                // errno of the first write that failed
  std::vector<Kept>* kept;  // what was written after it
  dev_t device;
  ino_t inode;
};

SteadyFile* of(H5FD_t* file) {
  return reinterpret_cast<SteadyFile*>(file);
}
const SteadyFile* of(const H5FD_t* file) {
  return reinterpret_cast<const SteadyFile*>(file);
}

/// lookup3, for lengths that are no multiple of 12 as well as for those that are.
std::uint32_t checksum(const unsigned char* bytes, std::size_t length) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(length), b = a, c = a;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      if (at + i < length) value |= static_cast<std::uint32_t>(bytes[at + i]) << (8 * i);
    return value;
  };
  std::size_t at = 0;
  for (; length - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  if (at == length) return c;
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  return c;
}

template <class Number>
void put(Superblock& block, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) block[at + i] = static_cast<unsigned char>(value >> (8 * i));
}

bool writeAll(int descriptor, haddr_t address, const unsigned char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::pwrite(descriptor, bytes, size, static_cast<off_t>(address));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      if (done == 0) errno = ENOSPC;
      return false;
    }
    bytes += done;
    address += static_cast<haddr_t>(done);
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

/// The superblock without marks and with the length that the file has.
void writeSuperblock(SteadyFile& file) {
  if (!file.hasSuperblock || file.error != 0) return;
  Superblock block = file.superblock;
  block[11] = 0;
  put<std::uint64_t>(block, 28, file.length);
  put<std::uint32_t>(block, 44, checksum(block.data(), 44));
  if (!writeAll(file.descriptor, 0, block.data(), block.size())) file.error = errno;
}

H5FD_t* open(const char* name, unsigned flags, hid_t, haddr_t maxaddr) {
  int how = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) how |= O_CREAT;
  if (flags & H5F_ACC_EXCL) how |= O_EXCL;
  const int descriptor = ::open(name, how | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  struct stat about {};
  ::fstat(descriptor, &about);
  auto* file = new SteadyFile{};
  file->descriptor = descriptor;
  file->length = static_cast<haddr_t>(about.st_size);
  file->kept = new std::vector<Kept>;
  file->device = about.st_dev;
  file->inode = about.st_ino;
  (void)maxaddr;
  return &file->common;
}

herr_t close(H5FD_t* base) {
  SteadyFile* file = of(base);
  ::close(file->descriptor);
  delete file->kept;
  delete file;
  return 0;
}

int compare(const H5FD_t* first, const H5FD_t* second) {
  const SteadyFile &a = *of(first), &b = *of(second);
  if (a.device != b.device) return a.device < b.device ? -1 : 1;
  return a.inode < b.inode ? -1 : a.inode > b.inode ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  if (features)
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DATA_SIEVE |
                H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) {
  return of(file)->allocated;
}

herr_t allocate(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file)->allocated = address;
  return 0;
}

haddr_t length(const H5FD_t* file, H5FD_mem_t) {
  return of(file)->length;
}

herr_t handle(H5FD_t* file, hid_t, void** result) {
  *result = of(file);
  return 0;
}

herr_t read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  SteadyFile& file = *of(base);
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::pread(file.descriptor, bytes + done, size - done, static_cast<off_t>(address + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {
      std::memset(bytes + done, 0, size - done);
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  for (const Kept& kept : *file.kept) {
    const haddr_t from = std::max(address, kept.address),
                  to = std::min<haddr_t>(address + size, kept.address + kept.bytes.size());
    if (from < to) std::memcpy(bytes + (from - address), kept.bytes.data() + (from - kept.address), to - from);
  }
  return 0;
}

herr_t write(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  SteadyFile& file = *of(base);
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  if (file.error == 0) {
    if (address == 0 && size >= superblockSize && bytes[8] == 3) {
      std::memcpy(file.superblock.data(), bytes, superblockSize);
      file.hasSuperblock = true;
      file.length = std::max<haddr_t>(file.length, superblockSize);
      writeSuperblock(file);
      address += superblockSize;
      bytes += superblockSize;
      size -= superblockSize;
    }
    if (file.error == 0 && size > 0 && !writeAll(file.descriptor, address, bytes, size)) file.error = errno;
    if (file.error == 0 && address + size > file.length) {
      file.length = address + size;
      writeSuperblock(file);
    }
    if (file.error == 0 || size == 0) return 0;
  }
  file.kept->push_back({address, std::vector<unsigned char>(bytes, bytes + size)});
  file.length = std::max<haddr_t>(file.length, address + size);
  return 0;
}

herr_t flush(H5FD_t*, hid_t, hbool_t) {
  return 0;
}

/// HDF5 makes the file as long as the addresses it has given out.
herr_t truncate(H5FD_t* base, hid_t, hbool_t) {
  SteadyFile& file = *of(base);
  if (file.error != 0 || file.allocated <= file.length) return 0;
  if (::ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) != 0) {
    file.error = errno;
    return 0;
  }
  file.length = file.allocated;
  writeSuperblock(file);
  return 0;
}

herr_t lock(H5FD_t*, hbool_t) {
  return 0;
}
herr_t unlock(H5FD_t*) {
  return 0;
}

H5FD_class_t makeClass() {
  H5FD_class_t c{};
  c.name = "polhode_steady";
  c.maxaddr = (haddr_t(1) << 62) - 1;
  c.fc_degree = H5F_CLOSE_STRONG;
  c.open = open;
  c.close = close;
  c.cmp = compare;
  c.query = query;
  c.get_eoa = allocated;
  c.set_eoa = allocate;
  c.get_eof = length;
  c.get_handle = handle;
  c.read = read;
  c.write = write;
  c.flush = flush;
  c.truncate = truncate;
  c.lock = lock;
  c.unlock = unlock;
  // every kind of data in one list of free space
  for (H5FD_mem_t& type : c.fl_map) type = H5FD_MEM_SUPER;
  return c;
}

}  // namespace

hid_t steadyFileAccess() {
  static const H5FD_class_t driverClass = makeClass();
  static const hid_t driver = H5FDregister(&driverClass);
  if (driver < 0) return driver;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && (H5Pset_driver(access, driver, nullptr) < 0 ||
                      H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) < 0)) {
    H5Pclose(access);
    return -1;
  }
  return access;
}

std::string failureOf(hid_t file) {
  void* found = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &found) < 0 || !found) return {};
  const int error = static_cast<SteadyFile*>(found)->error;
  return error == 0 ? std::string() : std::string(std::strerror(error));
}

}  // namespace polhode
