import type { Plugin, PluginAsks } from '@stoa/cms-model/plugins.ts'
import { AppError } from '@stoa/kit/errors.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, error as problem } from '../../errors.ts'
import { recordActivity, recordChange } from '../../events/events.ts'
import { personOf } from '../../principal.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { setSchedules } from '../events/events.ts'
import { NO_FOLDER, type PluginFiles, type SoundPlugin } from '../folder/folder.ts'
import { findStored, lockStored, type StoredPlugin, storable } from '../records/records.ts'
import { recordStart, tryCode } from '../running/running.ts'
import { SandboxFailure } from '../sandbox/sandbox.ts'
import { requireApproval } from './approval.ts'
import { ensureStored, installFiles, updateBroken } from './queries.ts'
import type { Known } from './record.ts'
import { brokenWith, changeOf, getPlugin, refuseOther } from './registry.ts'

type Asked = { readonly approve: boolean | PluginAsks; readonly wanted: WantedVersion }

/** Reads the plugin's files and switches it on; the first time that installs it. */
export const switchOn = async (ctx: Ctx, known: Known, { approve, wanted }: Asked): Promise<Plugin> => {
  const { name } = known
  const candidate = await readCandidate(ctx, known)
  await refuseOther(ctx.db, wanted, name, known.stored)
  if (known.stored?.enabled) return getPlugin(ctx, name)
  // Before anything is started: nobody has agreed yet.
  requireApproval(ctx, candidate.found.manifest, { before: known.stored?.approved ?? null, approve })
  const ms = await startOnce(ctx, candidate)
  await ctx.tx(async (tx) => {
    await ensureStored(tx, candidate.found.manifest, ctx.now())
    const stored = (await lockStored(tx, name)) ?? fail('NOT_FOUND')
    await refuseOther(tx, wanted, name, stored.version === 0 ? null : stored)
    if (stored.enabled) return
    await install(ctx, tx, { candidate, stored, approve, ms })
    const change = changeOf('plugin.enabled', name, candidate.found.manifest)
    if (stored.installedAt === null) await recordActivity(ctx, tx, { ...change, action: 'plugin.installed' })
    await recordChange(ctx, tx, change)
  })
  await ctx.plugins.load()
  return getPlugin(ctx, name)
}

/** Runs the files that the folder has now. What ran before runs on until they can. */
export const reload = async (ctx: Ctx, known: Known, { approve, wanted }: Asked): Promise<Plugin> => {
  const { name, stored: before } = known
  if (!before?.enabled)
    return fail('INVALID_STATE', { message: 'The plugin is off. Turn it on to read its files again.' })
  const candidate = await readCandidate(ctx, known)
  await refuseOther(ctx.db, wanted, name, before)
  if (candidate.found.hash === before.hash && before.manifest !== null) return getPlugin(ctx, name)
  requireApproval(ctx, candidate.found.manifest, { before: before.approved, approve })
  const ms = await startOnce(ctx, candidate)
  await ctx.tx(async (tx) => {
    const stored = (await lockStored(tx, name)) ?? fail('NOT_FOUND')
    await refuseOther(tx, wanted, name, stored)
    if (!stored.enabled) fail('INVALID_STATE', { message: 'The plugin was turned off in the meantime' })
    await install(ctx, tx, { candidate, stored, approve, ms })
    await recordChange(ctx, tx, changeOf('plugin.reloaded', name, candidate.found.manifest))
  })
  await ctx.plugins.load()
  return getPlugin(ctx, name)
}

/** Switches on what PLUGIN_AUTOENABLE names, and agrees to what it asks for. A name that does not work is only logged. */
export const autoEnable = async (ctx: Ctx): Promise<void> => {
  for (const name of ctx.config.pluginAutoenable)
    try {
      const found = await ctx.pluginFolder.find(name)
      if (found === null) throw problem('NOT_FOUND', { message: "This folder doesn't exist in PLUGIN_DIR" })
      await switchOn(
        ctx,
        { name, found, stored: await findStored(ctx.db, name), isMissing: false },
        { approve: true, wanted: null },
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      ctx.log.warn({ plugin: name, reason: error.message }, 'PLUGIN_AUTOENABLE could not turn on a plugin')
    }
}

type Candidate = { readonly found: SoundPlugin; readonly files: PluginFiles }

const readCandidate = async (ctx: Ctx, { name }: Known): Promise<Candidate> => {
  const read = await ctx.pluginFolder.read(name)
  if (read === null) return fail('INVALID_STATE', brokenWith(NO_FOLDER))
  return 'files' in read ? read : fail('INVALID_STATE', brokenWith(read.error))
}

type Installing = { candidate: Candidate; stored: StoredPlugin; approve: boolean | PluginAsks; ms: number }

const install = async (ctx: Ctx, tx: CmsTx, { candidate, stored, approve, ms }: Installing): Promise<void> => {
  const { manifest, hash } = candidate.found
  const approved = requireApproval(ctx, manifest, { before: stored.approved, approve })
  const by = { at: ctx.now(), by: personOf(ctx)?.id ?? null }
  await installFiles(tx, { manifest, hash, approved, files: candidate.files }, by)
  await setSchedules(tx, manifest.name, manifest.schedules, by.at)
  await recordStart(tx, manifest.name, { at: by.at, ms, outcome: 'done', message: null })
}

/** How long the start took. Refuses code that does not start or lacks a declared handler, and writes down why. */
const startOnce = async (ctx: Ctx, { found, files }: Candidate): Promise<number> => {
  const began = performance.now()
  const { manifest, hash } = found
  const code = files.get(manifest.server)?.toString('utf8') ?? ''
  const failure = await tryCode(ctx, manifest, code).then(
    () => null,
    (error: unknown) => (error instanceof SandboxFailure ? storable(error.message) : Promise.reject(error)),
  )
  const ms = performance.now() - began
  if (failure === null) return ms
  await ctx.tx(async (tx) => {
    await ensureStored(tx, manifest, ctx.now())
    await updateBroken(tx, manifest.name, { hash, message: failure, at: ctx.now() })
    await recordStart(tx, manifest.name, { at: ctx.now(), ms, outcome: 'failed', message: failure })
  })
  return fail('INVALID_STATE', brokenWith(failure))
}
