import type { Config } from '../../config.ts'
import type { CmsDb } from '../../context.ts'
import { findStored, type StoredPlugin } from './queries.ts'
import { revealSettings } from './settings.ts'

export {
  findStored,
  lastEditorOf,
  listEnabled,
  listStored,
  lockStored,
  readPluginFile,
  type StoredPlugin,
} from './queries.ts'
export { changeSettings, type StoredSettings, showSettings } from './settings.ts'

/** A plugin whose sandbox dies so often in so much time is switched off. */
export const DEATHS = { most: 5, withinMs: 10 * 60_000 }

/** When its sandbox died lately. */
export const recentDeaths = ({ deaths }: Pick<StoredPlugin, 'deaths'>, now: Date): Date[] =>
  deaths.filter((at) => at.getTime() > now.getTime() - DEATHS.withinMs)

/** As long as a message needs to be. */
const MAX_MESSAGE = 2_000

/** What a plugin said, as PostgreSQL can keep it: without U+0000 and lone surrogates. */
export const storable = (text: string, max = MAX_MESSAGE): string =>
  text.slice(0, max).toWellFormed().replaceAll('\0', '\ufffd')

/** `settings.own()`: every key that the plugin declares, with secrets in clear; what is not set has its default, or null. */
export const ownSettings = async (
  { db, config }: { readonly db: CmsDb; readonly config: Pick<Config, 'secret'> },
  name: string,
): Promise<Record<string, string | number | boolean | null>> => {
  const stored = await findStored(db, name)
  return stored?.manifest ? revealSettings(config, stored.manifest, stored.settings) : {}
}
