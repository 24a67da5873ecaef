import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { link } from '../workers/link.ts'
import type { AnyDb } from './database-checks.ts'
import { type CheckDefinition, type HealthCheck, type HealthStatus, healthStatuses, runChecks } from './health.ts'

/** The unit of a report: a machine as seen by processes with these roles. Other roles have other ports. */
export type MachineKey = { machine: string; roles: string }

export const machineKey = (roles: ReadonlySet<string>): MachineKey => ({
  machine: hostname(),
  roles: [...roles].sort().join(', '),
})

type MachineCheck = HealthCheck & Required<Pick<CheckDefinition, 'counts'>>
/** `age`: seconds since the last look, by the database's clock, which all machines share. */
export type MachineReport = MachineKey & { age: number; checks: MachineCheck[] }

const EVERY_MS = 15 * 60_000
/** The ports open right after the start. */
const FIRST_MS = 5_000
/** Equal to the delay of the alert for a service that no longer reports. */
const SILENT_SECONDS = 3_600
/** The check that says that a machine fell silent: nobody knows whether its ports answer. */
const PRESENCE = 'ports'

export type MachineWatch = { stop(): Promise<void> }

type WatchOptions = { log: Log; key: MachineKey; firstMs?: number; everyMs?: number }

/** Looks at this machine for as long as the process runs; of workers that share their ports, the first one does. */
export const watchMachine = <T>(
  definitions: readonly CheckDefinition[],
  { tx }: Pick<Database<T>, 'tx'>,
  { log, key, firstMs = FIRST_MS, everyMs = EVERY_MS }: WatchOptions,
): MachineWatch => {
  if (link !== null && link.number !== 1) return { stop: async () => undefined }
  const own = definitions.filter(({ counts }) => counts !== undefined)
  /** Lets this process delete its report, unless another process has taken it over. */
  const writer = newId()
  const stopping = new AbortController()
  const { signal } = stopping
  let writing: Promise<unknown> = Promise.resolve()
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  const careful = (work: Promise<unknown>) =>
    work.catch((err: unknown) => log.warn({ err }, 'the health of this machine could not be written down'))
  const write = (run: (opened: Tx<T>) => Promise<void>): Promise<unknown> => {
    writing = careful(tx(run))
    return writing
  }
  const run = async (): Promise<void> => {
    await write((opened) => takeOver(opened, key, writer))
    await pause(firstMs)
    while (!signal.aborted) {
      const checks = checksOfMachine(own, await runChecks(own, { log }))
      if (signal.aborted) return
      await write((opened) => putMachine(opened, { ...key, checks }, writer))
      await pause(everyMs)
    }
  }
  void run()
  return {
    async stop() {
      stopping.abort()
      await writing
      await careful(tx((opened) => deleteMachine(opened, key, writer)))
    },
  }
}

/** The checks that concern the machine on which they ran. */
export const checksOfMachine = (
  definitions: readonly CheckDefinition[],
  checks: readonly HealthCheck[],
): MachineCheck[] =>
  checks.flatMap((check) => {
    const counts = definitions.find(({ id }) => id === check.id)?.counts
    return counts === undefined ? [] : [{ ...check, counts }]
  })

/** Replaces one machine's checks with the combined result of all machines. */
export const withMachines = (checks: readonly HealthCheck[], machines: readonly MachineReport[]): HealthCheck[] => {
  const isNamed = new Set(machines.map(({ machine }) => machine)).size > 1
  return checks.map((check) => {
    const found = machines.flatMap((report) => {
      const own = report.checks.find(({ id }) => id === check.id)
      return own ? [{ ...(own.id === PRESENCE ? orSilence(own, report) : own), machine: report.machine }] : []
    })
    const [worst] = found.toSorted(
      found.some(({ counts }) => counts === 'least')
        ? (a, b) => figure(a) - figure(b)
        : (a, b) => rank(b.status) - rank(a.status),
    )
    if (!worst) return check
    const { id, status, message, action, value, counts, machine } = worst
    return { id, status, message: isNamed && counts === 'worst' ? `${machine}: ${message}` : message, action, value }
  })
}

const rank = (status: HealthStatus): number => healthStatuses.indexOf(status)
const figure = ({ value }: HealthCheck): number => (typeof value === 'number' ? value : Number.MAX_VALUE)

/** An error stays one: it is the last that is known. */
const orSilence = (check: MachineCheck, { roles, age }: MachineReport): MachineCheck => {
  if (age < SILENT_SECONDS || check.status === 'error') return check
  const hours = Math.floor(age / 3_600)
  return {
    ...check,
    status: 'warning',
    message: `Stoa (${roles}) hasn't checked this machine for ${hours === 1 ? '1 hour' : `${hours} hours`}.`,
    action: 'Start Stoa there. A machine that was taken away is forgotten after a day.',
    value: hours,
  }
}

/** The reports of all machines that were heard of within a day, as JSON. */
export const MACHINES = `(select coalesce(json_agg(json_build_object('machine', machine, 'roles', roles, 'checks', checks,
    'age', extract(epoch from now() - checked_at)) order by machine, roles), '[]')
  from health_machine where checked_at > now() - interval '1 day')`

export const listMachines = async (db: AnyDb): Promise<MachineReport[]> => {
  const [row] = await db.query<{ machines: MachineReport[] }>({ text: `select ${MACHINES} as machines` })
  return row?.machines ?? []
}

/** Takes over the report of an earlier process, which is left if that one was killed. */
const takeOver = async <T>(tx: Tx<T>, { machine, roles }: MachineKey, writer: string): Promise<void> => {
  await tx.query({
    text: 'update health_machine set writer = $3 where machine = $1 and roles = $2',
    values: [machine, roles, writer],
  })
}

const putMachine = async <T>(
  tx: Tx<T>,
  { machine, roles, checks }: Omit<MachineReport, 'age'>,
  writer: string,
): Promise<void> => {
  await tx.query({
    text: `insert into health_machine (machine, roles, writer, checked_at, checks) values ($1, $2, $3, now(), $4)
           on conflict (machine, roles) do update
             set writer = excluded.writer, checked_at = excluded.checked_at, checks = excluded.checks`,
    values: [machine, roles, writer, JSON.stringify(checks)],
  })
  await tx.query({ text: `delete from health_machine where checked_at < now() - interval '1 day'` })
}

/** A look that was asked for counts, too, where a process watches the machine. */
export const updateMachine = async <T>(
  tx: Tx<T>,
  { machine, roles, checks }: Omit<MachineReport, 'age'>,
): Promise<void> => {
  await tx.query({
    text: 'update health_machine set checked_at = now(), checks = $3 where machine = $1 and roles = $2',
    values: [machine, roles, JSON.stringify(checks)],
  })
}

const deleteMachine = async <T>(tx: Tx<T>, { machine, roles }: MachineKey, writer: string): Promise<void> => {
  await tx.query({
    text: 'delete from health_machine where machine = $1 and roles = $2 and writer = $3',
    values: [machine, roles, writer],
  })
}
