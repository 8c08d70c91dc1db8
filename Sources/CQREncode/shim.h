// libqrencode, which encodes QR codes.
#pragma once
#include <qrencode.h>
