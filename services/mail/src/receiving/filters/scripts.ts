import type { Db } from '@stoa/kit/db/database.ts'
import { compileScript, problemsText, type SieveScript, standardLanguage } from '../../formats/sieve/sieve.ts'
import { listVacations, vacationScript } from '../../sending/vacation/vacation.ts'
import type { Tables } from '../../tables.ts'
import { type ActiveScript, findScriptSources } from './queries.ts'

/** A script that is ready to run, or why it is not. */
export type ReadyScript = { readonly id: string; readonly name: string } & (
  | { readonly script: SieveScript; readonly problem: null }
  | { readonly script: null; readonly problem: string }
)

/** Compiled scripts are kept by version, so that a change needs no notification. */
export type ScriptCache = { get(key: string): ReadyScript | undefined; set(key: string, script: ReadyScript): void }

/** About 20 kB each. */
const MAX_KEPT = 2_000

export const createScriptCache = (max = MAX_KEPT): ScriptCache => {
  const kept = new Map<string, ReadyScript>()
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    set(key, script) {
      kept.set(key, script)
      for (const oldest of kept.keys()) {
        if (kept.size <= max) return
        kept.delete(oldest)
      }
    },
  }
}

/** These scripts in their order, compiled: without a statement when they are already, else with up to two. */
export const readyScripts = async (
  db: Db<Tables>,
  active: readonly ActiveScript[],
  cache: ScriptCache,
): Promise<ReadyScript[]> => {
  const missing = active.filter((script) => !cache.get(keyOf(script))).map(({ id }) => id)
  const fresh = missing.length === 0 ? new Map<string, ReadyScript>() : await load(db, missing, cache)
  return active.flatMap((script) => fresh.get(script.id) ?? cache.get(keyOf(script)) ?? [])
}

const load = async (
  db: Db<Tables>,
  ids: readonly string[],
  cache: ScriptCache,
): Promise<ReadonlyMap<string, ReadyScript>> => {
  const fresh = new Map<string, ReadyScript>()
  const keep = (version: ActiveScript, script: ReadyScript) => {
    fresh.set(version.id, script)
    cache.set(keyOf(version), script)
  }
  for (const row of await findScriptSources(db, ids)) keep(row, ready(row))
  const others = ids.filter((id) => !fresh.has(id))
  const vacations = others.length === 0 ? [] : await listVacations(db, others)
  for (const { addressId: id, updatedAt, vacation } of vacations)
    keep({ id, updatedAt }, { id, name: 'Vacation response', script: vacationScript(vacation), problem: null })
  return fresh
}

const keyOf = ({ id, updatedAt }: ActiveScript): string => `${id} ${updatedAt.getTime()}`

const ready = ({ id, name, source }: { id: string; name: string; source: string }): ReadyScript => {
  const { script, problems } = compileScript(source, standardLanguage)
  return script ? { id, name, script, problem: null } : { id, name, script: null, problem: problemsText(problems) }
}
