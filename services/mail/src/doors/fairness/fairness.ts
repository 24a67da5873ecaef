export { createMemory, type Memory, type Reservation } from './memory.ts'
export { readFairly } from './reading.ts'
export { type Turn, turns } from './turns.ts'
