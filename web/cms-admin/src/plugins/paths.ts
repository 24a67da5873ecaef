export const PLUGINS_PATH = '/plugins'

export const pluginPath = (name: string): string => `${PLUGINS_PATH}/${encodeURIComponent(name)}`

/** A screen that a plugin brings. Not below the list of plugins, which is for admins. */
export const pluginScreenPath = (name: string, screen: string): string =>
  `/plugin/${encodeURIComponent(name)}/${encodeURIComponent(screen)}`
