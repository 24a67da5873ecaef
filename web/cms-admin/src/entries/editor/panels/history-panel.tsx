import { Button } from '@stoa/ui/button/button.tsx'
import { History } from 'lucide-react'
import { useEditor } from '../editor-context.ts'
import { SideSection } from './side-section.tsx'

/** The way to the history, which takes the place of the form. */
export const HistoryPanel = () => {
  const { state, showHistory } = useEditor()
  if (state.entry === null) return null
  return (
    <SideSection title="History">
      <Button icon={<History />} onClick={showHistory}>
        Show history
      </Button>
    </SideSection>
  )
}
