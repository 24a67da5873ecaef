import { setTimeout as sleep } from 'node:timers/promises'

/** One kind of work that comes at a steady rate, over connections that stay open. */
export type Work = {
  name: string
  perSecond: number
  open(): Promise<Lane>
}

/** One connection: it does the work with this number, which no other has. */
export type Lane = { act(number: number): Promise<unknown>; close?(): void }

/** Milliseconds of each, in order of size. */
export type Times = readonly number[]

const LANES = 8

/** Opens the connections of all kinds of work, which then go on from one measurement to the next. */
export const openSteady = async (works: readonly Work[]) => {
  const opened = await Promise.all(
    works.map(async (work) => {
      const lanes: Lane[] = []
      for (let at = 0; at < LANES; at += 1) lanes.push(await work.open())
      return { ...work, lanes, done: 0 }
    }),
  )
  return {
    /** The times of each kind of work until something else has ended. */
    async until(ended: Promise<unknown>): Promise<Map<string, Times>> {
      let isOver = false
      const stop = () => {
        isOver = true
      }
      ended.then(stop, stop)
      const measured = opened.map(async (each): Promise<[string, Times]> => {
        const times: number[] = []
        const [began, first] = [performance.now(), each.done]
        const useLane = async ({ act }: Lane): Promise<void> => {
          while (!isOver) {
            const number = each.done
            each.done += 1
            // Who has to wait for a free connection waits, too: time counts from when it should have begun.
            const due = began + ((number - first) * 1_000) / each.perSecond
            await sleep(Math.max(due - performance.now(), 0))
            await act(number)
            times.push(performance.now() - due)
          }
        }
        await Promise.all(each.lanes.map(useLane))
        return [each.name, times.sort((one, other) => one - other)]
      })
      return new Map(await Promise.all(measured))
    },
    close() {
      for (const { lanes } of opened) for (const lane of lanes) lane.close?.()
    },
  }
}

/** The time that this part of them didn't exceed. */
export const percentile = (times: Times, part: number): number =>
  times[Math.ceil(times.length * part) - 1] ?? Number.NaN
