#include "CLinuxSupport.h"
