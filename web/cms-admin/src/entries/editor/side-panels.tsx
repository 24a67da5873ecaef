import { Button } from '@stoa/ui/button.tsx'
import { History } from 'lucide-react'
import { AuthorPanel } from './author-panel.tsx'
import { useEditor } from './editor-context.ts'
import { LanguagePanel } from './language-panel.tsx'
import { SideSection } from './side-section.tsx'
import { SlugPanel } from './slug-panel.tsx'
import { StatusPanel } from './status-panel.tsx'
import { TermsPanels } from './terms-panel.tsx'

/** Everything about an entry that is not its content. */
export const SidePanels = ({ onHistory }: { onHistory: () => void }) => {
  const { state } = useEditor()
  return (
    <div className="flex min-w-0 flex-col divide-y divide-line [&>*]:py-4 [&>*:first-child]:pt-0">
      {state.entry === null ? null : <StatusPanel entry={state.entry} />}
      <SlugPanel />
      <TermsPanels />
      <LanguagePanel />
      <AuthorPanel />
      {state.entry === null ? null : (
        <SideSection title="History">
          <Button icon={<History />} onClick={onHistory}>
            Show the history
          </Button>
        </SideSection>
      )}
    </div>
  )
}
