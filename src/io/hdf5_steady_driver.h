#pragma once

#include <string>

#include <hdf5.h>

/// How HDF5 reaches the disk, so that a file under way can be opened at any moment, whatever happens to the process that
/// writes it.
///
/// A file that HDF5 writes for others to read meanwhile (SWMR) is whole at every instant: parts are written before what
/// points to them. Only its first 48 bytes, the superblock, stand in the way: they hold the mark "somebody writes here",
/// with which a plain open refuses the file of a process that was killed, and a length that lags behind. This driver
/// writes the superblock without the mark and with the present length, after each write that makes the file longer:
///
///     0  signature (8)   8  version 3   9  sizes (2)   11  marks   12  base (8)   20  extension (8)
///     28  end of file (8)   36  root group (8)   44  checksum of the 44 bytes before (4)
///
/// A write that fails, such as on a full disk, is the last one: the file stays as it was before. HDF5 is told nothing (it
/// does not survive that), goes on in memory, and can be closed in order; failureOf() says what happened.
///
/// Reference: HDF5 File Format Specification version 3.0, II.A (superblock version 3); the checksum is lookup3 of Bob
/// Jenkins, 2006.
namespace polhode {

/// An access property list with this driver, for H5Fcreate; to be closed by the caller. Negative where it cannot be made.
hid_t steadyFileAccess();

/// Why a file that was made with this driver can no longer be written: "No space left on device"; empty while it can.
std::string failureOf(hid_t file);

}  // namespace polhode
