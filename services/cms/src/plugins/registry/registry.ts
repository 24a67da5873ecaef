import { type PluginManifest, pluginName } from '@stoa/cms-model/plugin-manifest.ts'
import type { Plugin, PluginRun, PluginScreens, PluginSettingsInput } from '@stoa/cms-model/plugins.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type ChangeRecord, recordChange } from '../../events/events.ts'
import { personOf, scopeFor } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  changeSettings,
  findStored,
  lastEditorOf,
  listStored,
  lockStored,
  type StoredPlugin,
} from '../records/records.ts'
import { deleteStored, disableStored, ensureStored, listRuns, updateSettings } from './queries.ts'
import { errorOf, type Known, manifestOf, toPlugin } from './record.ts'

/** Every plugin that has a folder or was installed, by name. */
export const listPlugins = async (ctx: Ctx): Promise<Plugin[]> => {
  const [found, stored] = await Promise.all([ctx.pluginFolder.list(), listStored(ctx.db)])
  const known = new Map<string, Known>(found.map((one) => [one.name, knownAs(ctx, one.name, one, null)]))
  for (const one of stored) {
    const folder = known.get(one.name)?.found ?? (await ctx.pluginFolder.find(one.name))
    known.set(one.name, knownAs(ctx, one.name, folder, one))
  }
  const all = [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  await followFolder(ctx, all)
  return all.map((one) => toPlugin(one, ctx.now()))
}

const knownAs = ({ pluginFolder }: Ctx, name: string, found: Known['found'], stored: Known['stored']): Known => ({
  name,
  found,
  stored,
  isMissing: found === null && pluginFolder.isSet,
})

/** Unknown names are not found. */
export const requirePlugin = async (ctx: Ctx, name: string): Promise<Known> => {
  const stored = pluginName.safeParse(name).success ? await findStored(ctx.db, name) : null
  const found = await ctx.pluginFolder.find(name)
  return found === null && stored === null ? fail('NOT_FOUND') : knownAs(ctx, name, found, stored)
}

export const getPlugin = async (ctx: Ctx, name: string): Promise<Plugin> => {
  const known = await requirePlugin(ctx, name)
  await followFolder(ctx, [known])
  return toPlugin(known, ctx.now())
}

/** A folder that vanished, broke or came back since the plugins were read changes what runs here. */
const followFolder = async (ctx: Ctx, all: readonly Known[]): Promise<void> => {
  const isOff = ({ name, stored }: Known) => stored?.enabled === true && ctx.plugins.find(name) === undefined
  const isStale = (known: Known) => known.stored?.enabled === true && isOff(known) !== (errorOf(known) !== null)
  if (all.some(isStale)) await ctx.plugins.load()
}

export const switchOff = async (ctx: Ctx, { name }: Known, wanted: WantedVersion): Promise<Plugin> => {
  await ctx.tx(async (tx) => {
    const stored = await lockStored(tx, name)
    await refuseOther(tx, wanted, name, stored)
    if (!stored?.enabled) return
    await disableStored(tx, name, { at: ctx.now(), by: personOf(ctx)?.id ?? null })
    await recordChange(ctx, tx, changeOf('plugin.disabled', name, stored.manifest))
  })
  await ctx.plugins.load()
  return getPlugin(ctx, name)
}

/** Sets values of declared keys; those that are not sent stay. */
export const saveSettings = async (
  ctx: Ctx,
  known: Known,
  given: PluginSettingsInput['settings'],
  wanted: WantedVersion,
): Promise<Plugin> => {
  const { name } = known
  const manifest = manifestOf(known) ?? fail('INVALID_STATE', brokenWith(errorOf(known)))
  await ctx.tx(async (tx) => {
    await ensureStored(tx, manifest, ctx.now())
    const stored = (await lockStored(tx, name)) ?? fail('NOT_FOUND')
    await refuseOther(tx, wanted, name, stored)
    const { settings, changed } = changeSettings(ctx.config, manifest, stored.settings, given)
    if (changed.length === 0 && stored.version > 0) return
    await updateSettings(tx, name, settings, { at: ctx.now(), by: personOf(ctx)?.id ?? null })
    await recordChange(ctx, tx, { ...changeOf('plugin.settings_updated', name, manifest), changed })
  })
  return getPlugin(ctx, name)
}

/** Its documents, events, schedules, runs, files and settings go with it; its folder stays. */
export const uninstall = async (ctx: Ctx, known: Known, typed: string, wanted: WantedVersion): Promise<void> => {
  const { name } = known
  if (typed !== name) failFields([{ key: 'name', message: `must be the name of the plugin, ${name}` }])
  await ctx.tx(async (tx) => {
    const stored =
      (await lockStored(tx, name)) ?? fail('INVALID_STATE', { message: `The plugin ${name} isn't installed` })
    await refuseOther(tx, wanted, name, stored)
    await deleteStored(tx, name)
    await recordChange(ctx, tx, changeOf('plugin.uninstalled', name, stored.manifest))
  })
  await ctx.plugins.load()
}

export const readRuns = (ctx: Ctx, { name }: Known): Promise<PluginRun[]> => listRuns(ctx.db, name)

/** Screens and panels of the plugins that are on here, as far as the person may use them. */
export const listScreens = (ctx: Ctx): PluginScreens => {
  const isGranted = (permission: Parameters<typeof scopeFor>[1] | undefined) =>
    permission === undefined || scopeFor(ctx.principal, permission) !== null
  const items = ctx.plugins.enabled().map(({ name, manifest, hash }) => {
    const src = (file: string) => `/ext/${name}/${file}?v=${hash.slice(0, 12)}`
    return {
      plugin: name,
      label: manifest.label,
      hash,
      screens: manifest.screens
        .filter(({ permission }) => isGranted(permission))
        .map(({ id, label, icon, file, permission }) => ({
          id,
          label,
          icon: icon ?? null,
          src: src(file),
          permission,
        })),
      panels: manifest.panels
        .filter(({ permission }) => isGranted(permission))
        .map(({ label, types, file, permission }) => ({
          label,
          types,
          src: src(file),
          permission: permission ?? null,
        })),
    }
  })
  return { items: items.filter(({ screens, panels }) => screens.length + panels.length > 0) }
}

/** The message when somebody enables a plugin that can't run. */
export const brokenWith = (error: string | null) => ({
  message: error === null ? "The plugin can't run" : `The plugin can't run: ${error}`,
  details: { error },
})

export const refuseOther = (
  db: CmsDb,
  wanted: WantedVersion,
  name: string,
  stored: StoredPlugin | null,
): Promise<void> =>
  refuseOtherVersion(wanted, stored ?? { version: 0, updatedAt: new Date(0) }, () => lastEditorOf(db, name))

/** Recorded, and published to all processes and screens. */
export const changeOf = (action: string, name: string, manifest: PluginManifest | null): ChangeRecord => ({
  action,
  target: { kind: 'plugin', id: name, label: manifest?.label ?? name },
  events: [{ name: 'plugin.updated', data: { id: name }, isPublic: false, isInternal: true }],
})
