// Replies whose form RESP3 changes.

import { defineProbes } from '../probe.ts';

export const resp3Probes = defineProbes('RESP3', [
  'HELLO 3\nGET x\nSET k v NX\nSET k v NX\nMGET k x\nHGET h f\nGETEX x\nZSCORE z m\nZRANK z m\nCLIENT GETNAME',
  'HELLO 3\nHSET h a 1 b 2\nHGETALL h\nHGETALL x\nHMGET h a x\nHKEYS h\nHSCAN h 0',
  'HELLO 3\nZADD z 1 a 2.5 b\nZSCORE z b\nZMSCORE z a x\nZRANGE z 0 -1\nZRANGE z 0 -1 WITHSCORES\nZRANGEBYSCORE z 0 5 WITHSCORES\nZREVRANGE z 0 0 WITHSCORES\nZINCRBY z 1 a\nZADD z INCR 1 a\nZADD z XX INCR 1 x',
  'HELLO 3\nZADD z 1 a 2.5 b inf c -inf d\nZPOPMIN z\nZPOPMAX z 1\nZPOPMIN z 5\nZPOPMIN z\nZPOPMIN z 1\nZSCAN z 0',
  'HELLO 3\nINCRBYFLOAT k 0.1\nCONFIG GET databases\nTYPE k\nSCAN 0\nCOMMAND INFO nosuch',
  'HELLO 3\nMULTI\nHGETALL h\nGET x\nEXEC\nHELLO 2\nHGETALL h\nGET x',
  'HELLO 3\nfoo\nGET\nSET k v\nHGET k f\nEXPIRE k x',
]);
