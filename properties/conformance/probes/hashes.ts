// Hashes.

import { defineProbes } from '../probe.ts';

export const hashProbes = defineProbes('hashes', [
  'HSET h a 1 b 2\nHSET h a 3 c 4\nHGET h a\nHGET h x\nHGET missing a\nHLEN h\nHLEN missing\nHGETALL h\nHGETALL missing',
  'HSET h a\nHSET h\nHSET h a 1 b\nHMSET h a\nHMSET h a 1 b\nHMSET h a 1 b 2\nHMGET h a b c\nHMGET missing a b\nHMGET h',
  'HSETNX h a 1\nHSETNX h a 2\nHGET h a\nHEXISTS h a\nHEXISTS h b\nHEXISTS missing b\nHSTRLEN h a\nHSTRLEN h b\nHSTRLEN missing b',
  'HSET h a 1 b 2 c 3\nHDEL h a x\nHDEL h b c\nEXISTS h\nHDEL h a\nHDEL h',
  'HSET h a 1 b 2\nHKEYS h\nHVALS h\nHKEYS missing\nHVALS missing\nHSET h a 9\nHGETALL h\nHDEL h a\nHSET h a 5\nHGETALL h',
  'HINCRBY h n 5\nHINCRBY h n -7\nHGET h n\nHSET h s abc\nHINCRBY h s 1\nHINCRBY h n 1.5\nHINCRBY h n x\nHSET h m 9223372036854775807\nHINCRBY h m 1\nHINCRBY h m -1\nHSET h e ""\nHINCRBY h e 1',
  'HINCRBYFLOAT h n 0.1\nHINCRBYFLOAT h n 0.2\nHINCRBYFLOAT h n -1e2\nHSET h s abc\nHINCRBYFLOAT h s 1\nHINCRBYFLOAT h n x\nHINCRBYFLOAT h n inf\nHINCRBYFLOAT h n nan\nHGETALL h',
  'SET k v\nHGET k a\nHSET k a 1\nHMGET k a\nHGETALL k\nHDEL k a\nHLEN k\nHEXISTS k a\nHKEYS k\nHVALS k\nHINCRBY k a 1\nHINCRBYFLOAT k a 1\nHSTRLEN k a\nHSETNX k a 1',
  'HSET h a 1\nEXPIRE h 100\nHSET h b 2\nTTL h\nHDEL h a b\nTTL h\nHSET h c 1\nTTL h',
  'HSET h a 1 b 2 c 3\nHSCAN h 0\nHSCAN h 0 MATCH a*\nHSCAN h 0 COUNT 1\nHSCAN missing 0\nHSCAN h x\nHSCAN h 0 COUNT 0\nHSCAN h 0 COUNT x\nHSCAN h 0 FOO\nHSCAN h 0 TYPE string\nSET k v\nHSCAN k 0',
  'HSET h "" empty "a b" "c d"\nHGET h ""\nHGETALL h\nHGET h "a b"',
]);
