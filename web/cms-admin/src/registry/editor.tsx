import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { fieldAssistant } from '../field-assistant/registered.tsx'
import { pluginPanels } from '../plugins/registered.tsx'
import type { EditorRegistry } from './registry.ts'

// One file for all of them: they are shown together
const ownPanels = () => import('../entries/editor/panels/own-panels.ts')

/** Everything that the editor of entries is put together from. */
export const editorRegistry: EditorRegistry = {
  entryPanels: [
    { id: 'status', label: 'Status', order: 10, Component: lazyPart(ownPanels, 'StatusPanel') },
    { id: 'slug', label: 'Slug', order: 20, Component: lazyPart(ownPanels, 'SlugPanel') },
    { id: 'terms', label: 'Terms', order: 30, Component: lazyPart(ownPanels, 'TermsPanels') },
    { id: 'language', label: 'Language', order: 40, Component: lazyPart(ownPanels, 'LanguagePanel') },
    { id: 'author', label: 'Author', order: 50, Component: lazyPart(ownPanels, 'AuthorPanel') },
    {
      id: 'share',
      label: 'Social',
      order: 55,
      needs: 'social.write',
      Component: lazyPart(() => import('../social/share-panel.tsx'), 'SharePanel'),
    },
    { id: 'history', label: 'History', order: 60, Component: lazyPart(ownPanels, 'HistoryPanel') },
    pluginPanels,
  ],
  fieldActions: [fieldAssistant],
}
