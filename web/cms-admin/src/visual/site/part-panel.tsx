import type { PartState } from '@stoa/cms-model/website.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { roleLabels } from '../../accounts/roles.ts'
import { isChanged, type Values } from './drafts.ts'
import { EntryPartEditor } from './entry-part.tsx'
import { MenuPartEditor } from './menu-part.tsx'
import { SettingsPartEditor } from './settings-part.tsx'
import { useSite } from './site-context.ts'
import { isEntryPart, isMenuPart, isSettingsPart } from './sources.ts'

type PartPanelProps = { part: PartState; isDraftHidden: boolean }

/** The editor of one part of the site. */
export const PartPanel = ({ part, isDraftHidden }: PartPanelProps) => (
  <>
    <div className="flex flex-col items-start gap-2 border-line border-b px-4 py-3">
      <h2 className="font-medium text-ink text-sm">{part.label}</h2>
      <Badge tone="accent">Appears on every page</Badge>
      {part.description === '' ? null : <p className="text-muted text-sm">{part.description}</p>}
    </div>
    <div className="flex flex-col gap-4 p-4">
      {isMenuPart(part) ? <MenuPartEditor part={part} /> : null}
      {isEntryPart(part) ? <EntryPartEditor part={part} isDraftHidden={isDraftHidden} /> : null}
      {isSettingsPart(part) ? <SettingsPartEditor part={part} /> : null}
    </div>
  </>
)

/** Why something is shown and cannot be changed. */
export const LockedNotice = ({ children }: { children: ReactNode }) => (
  <p className="flex items-start gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5 text-muted text-sm">
    <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0">{children}</span>
  </p>
)

type RoleLockProps = { what: string; who: string }

/** "Your role, Author, can't edit menus. Editors, admins and owners can." */
export const RoleLock = ({ what, who }: RoleLockProps) => {
  const { me } = useSite()
  return (
    <LockedNotice>
      Your role, {roleLabels[me.role]}, can't {what}. {who} can.
    </LockedNotice>
  )
}

/** What the service refused as a whole; what it says about single fields stands at them. */
export const SourceProblem = ({ source }: { source: string }) => {
  const problem = useSite().saving.problems[source]
  return problem ? (
    <Notice tone="danger" title="Not saved">
      {problem.message}
    </Notice>
  ) : null
}

/** Saves this source, and nothing else. */
export const SaveSource = ({ source, children }: { source: string; children?: ReactNode }) => {
  const { work, saving } = useSite()
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-4">
      <Button
        disabled={!isChanged(work.drafts.sources[source])}
        loading={saving.isSaving}
        onClick={() => saving.save(source)}
      >
        Save
      </Button>
      {children}
    </div>
  )
}

/** Changes members of a source; what was wrong with it before is said again only when it is refused again. */
export const useChange = (source: string, label: string) => {
  const { work, saving } = useSite()
  return (values: Values, place?: string | null): void => {
    work.change(source, values, label, place)
    saving.clearProblem(source)
  }
}
