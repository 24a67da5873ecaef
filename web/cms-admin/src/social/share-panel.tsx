import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Share2 } from 'lucide-react'
import { SideSection } from '../entries/editor/panels/side-section.tsx'
import type { EntryPanelProps } from '../registry/entry-panels.ts'
import { sharePath } from './paths.ts'

/** Begins a post about the entry. */
export const SharePanel = ({ entry }: EntryPanelProps) => {
  if (entry === null || entry.deletedAt !== null) return null
  return (
    <SideSection title="Social">
      <LinkButton to={sharePath(entry.id)} icon={<Share2 aria-hidden />} className="self-start">
        Share
      </LinkButton>
      {entry.status === 'published' ? null : (
        <p className="text-faint text-xs">The link works once this entry is published.</p>
      )}
    </SideSection>
  )
}
