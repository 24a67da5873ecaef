import { readFileSync } from 'node:fs'

/**
 * For a process whose clock somebody sets: its time is that of the machine and as many milliseconds as the file says.
 * Timers go on as they do when the clock of a machine is set.
 */
const LOOK_EVERY_MS = 20
const file = process.env.CLOCK_FILE ?? ''
const Real = Date
let offset = 0
const now = (): number => Real.now() + offset

setInterval(() => {
  offset = Number(readFileSync(file, 'utf8'))
}, LOOK_EVERY_MS).unref()
globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new Real(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
