export type * from './bridge.ts'
export type * from './bridge-protocol.ts'
export type * from './records.ts'
export type * from './stoa-api.ts'
