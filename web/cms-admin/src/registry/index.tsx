import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Sparkles } from 'lucide-react'
import { pluginNavigation } from '../plugins/registered.tsx'
import type { Registry } from './registry.ts'
import { contentScreens, ownerScreens, screens, websiteScreens } from './screens.tsx'

/** Everything that the shell is put together from: a new feature adds its lines here, or in `editor.tsx`. */
export const registry: Registry = {
  navigation: [...screens, ownerScreens, contentScreens, websiteScreens, pluginNavigation],
  sidePanels: [
    {
      id: 'assistant',
      label: 'Assistant',
      order: 10,
      needs: 'content.read',
      shortcut: 'mod+j',
      icon: <Sparkles aria-hidden />,
      Component: lazyPart(() => import('../assistant/panel.tsx'), 'AssistantPanel'),
    },
  ],
}
