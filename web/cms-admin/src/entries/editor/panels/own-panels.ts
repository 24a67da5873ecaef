// The panels that every entry has, in one chunk of the build
export { AuthorPanel } from './author-panel.tsx'
export { HistoryPanel } from './history-panel.tsx'
export { LanguagePanel } from './language-panel.tsx'
export { SlugPanel } from './slug-panel.tsx'
export { StatusPanel } from './status-panel.tsx'
export { TermsPanels } from './terms-panel.tsx'
