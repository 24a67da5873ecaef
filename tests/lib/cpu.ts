import { readdirSync, readFileSync } from 'node:fs'

/** How many of the kernel's ticks are a second; the same on every Linux that Node runs on. */
const TICKS_PER_S = 100

type Stat = { pid: number; parent: number; ticks: number }

/**
 * The seconds that a process and everything below it have worked so far, the ended ones included. 0 where there is no
 * /proc, except for this process itself.
 */
export const treeCpuSeconds = (pid = process.pid): number => {
  const stats = readStats()
  if (stats.length === 0) return pid === process.pid ? ownSeconds() : 0
  const below = (parent: number): number =>
    stats.filter((one) => one.parent === parent).reduce((sum, one) => sum + one.ticks + below(one.pid), 0)
  const own = stats.find((one) => one.pid === pid)?.ticks ?? 0
  return (own + below(pid)) / TICKS_PER_S
}

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const readStats = (): Stat[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)))
  } catch {
    return []
  }
}

const readStat = (pid: number): Stat[] => {
  try {
    // The name in brackets may contain anything; utime, stime, cutime and cstime are fields 14 to 17.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
    return [{ pid, parent: fields[1] ?? 0, ticks }]
  } catch {
    return []
  }
}
