/* The header is all there is; SwiftPM wants a source file to make a module of it. */
#include "CCoreBluetooth.h"
