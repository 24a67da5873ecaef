import { cpus } from 'node:os'
import type { FileTime } from '../tests/lib/group.ts'

/** A part of a run: what it took by the clock, what was worked meanwhile, and what the cores could have worked. */
export type Phase = { name: string; seconds: number; cpuSeconds: number; cores: number; idleSeconds: number }

const SLOWEST = 15

/** Starts a named phase: everything from now on counts toward it. */
export const startPhase = (name: string, cpuSeconds: () => number): (() => Phase) => {
  const [began, worked, idle] = [performance.now(), cpuSeconds(), idleSeconds()]
  return () => ({
    name,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSeconds() - worked,
    cores: cpus().length,
    idleSeconds: idleSeconds() - idle,
  })
}

/** Idle time of the whole machine: time in which other programs worked does not count as idle. */
const idleSeconds = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000

/** A summary of where the time of a run went: its phases, the work by folder, the slowest files. */
export const describeTimes = (phases: Phase[], files: FileTime[]): string[] => {
  const folders = [...Map.groupBy(files, ({ file }) => folderOf(file))]
    .map(([name, ofIt]) => ({
      name,
      count: ofIt.length,
      seconds: sum(ofIt, 'seconds'),
      cpuSeconds: sum(ofIt, 'cpuSeconds'),
    }))
    .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
  const slowest = files.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, SLOWEST)
  return [
    line('seconds', 'of work', 'phase'),
    ...phases.map(({ name, seconds, cpuSeconds, cores, idleSeconds: idle }) =>
      line(seconds, cpuSeconds, `${name}; the cores were idle for ${percent(idle / (seconds * cores))}`),
    ),
    line('', '', 'folder'),
    ...folders.map(({ name, count, seconds, cpuSeconds }) => line(seconds, cpuSeconds, `${name} (${count} files)`)),
    line('', '', `the ${SLOWEST} files with most work`),
    ...slowest.map(({ file, seconds, cpuSeconds }) => line(seconds, cpuSeconds, file)),
  ]
}

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/')

const sum = (files: FileTime[], member: 'seconds' | 'cpuSeconds'): number =>
  files.reduce((total, file) => total + file[member], 0)

const percent = (share: number): string => `${Math.round(share * 100)} %`

const line = (seconds: number | string, work: number | string, what: string): string => {
  const column = (value: number | string): string => (typeof value === 'number' ? value.toFixed(1) : value).padStart(9)
  return `${column(seconds)} ${column(work)}  ${what}`
}
