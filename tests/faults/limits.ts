/**
 * What a service has so long for. Beside other tests a machine is many times slower than alone: only `npm run faults`, which
 * is alone, holds services to the very time.
 */
export const within = (ms: number): number => ms * SLACK
const SLACK = process.env.NODE_TEST_CONTEXT ? 5 : 1
