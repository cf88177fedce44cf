"""The reference product: a claims app to try, test and calibrate the rig with. It knows nothing of the rig."""

VERSION = "0.1.0"
