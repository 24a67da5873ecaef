import { pluginNavigation } from '../plugins/registered.tsx'
import type { Registry } from './registry.ts'
import { contentScreens, screens, websiteScreens } from './screens.tsx'

/** Everything that the shell is put together from: a new feature adds its lines here, or in `editor.tsx`. */
export const registry: Registry = {
  navigation: [...screens, contentScreens, websiteScreens, pluginNavigation],
  sidePanels: [],
}
