import type { PartState } from '@stoa/cms-model/website.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { CircleAlert, FileText, Lock, Menu, Palette, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../../allowed.tsx'
import { isChanged } from './drafts.ts'
import { useSite } from './site-context.ts'
import type { Chosen } from './site-work.ts'
import { designKey, isEntryPart, keyOfPart } from './sources.ts'

type SiteListProps = { chosen: Chosen | null; onChoose: (chosen: Chosen) => void }

const icons = { menu: <Menu />, entry: <FileText />, settings: <Settings /> }

/** The parts of the site and the surfaces of its design: the way to them with the keyboard. */
export const SiteList = ({ chosen, onChoose }: SiteListProps) => {
  const { me, website, design } = useSite()
  const isChosen = (kind: Chosen['kind'], id: string) => chosen?.kind === kind && chosen.id === id
  return (
    <div className="flex flex-col gap-5">
      {website.parts.length === 0 ? null : (
        <Group title="Parts" badge={<Badge tone="accent">Appears on every page</Badge>}>
          {website.parts.map((part) => (
            <Row
              key={part.id}
              icon={icons[part.source.kind]}
              label={part.label}
              source={keyOfPart(part)}
              isLocked={!part.state.canEdit && !isMissing(part)}
              isChosen={isChosen('part', part.id)}
              onChoose={() => onChoose({ kind: 'part', id: part.id })}
            />
          ))}
        </Group>
      )}
      {design.surfaces.length === 0 ? null : (
        <Group title="Design">
          {design.surfaces.map(({ id, label }) => (
            <Row
              key={id}
              icon={<Palette />}
              label={label}
              source={designKey(id)}
              isLocked={!may(me, 'settings.manage')}
              isChosen={isChosen('surface', id)}
              onChoose={() => onChoose({ kind: 'surface', id })}
            />
          ))}
        </Group>
      )}
    </div>
  )
}

/** There is nothing to lock. */
const isMissing = (part: PartState): boolean => isEntryPart(part) && part.state.missing !== null

const Group = ({ title, badge, children }: { title: string; badge?: ReactNode; children: ReactNode }) => (
  <section aria-label={title}>
    <div className="mb-2 flex flex-wrap items-center gap-2 px-2">
      <h2 className="font-medium text-muted text-xs">{title}</h2>
      {badge}
    </div>
    <ul className="flex flex-col gap-0.5">{children}</ul>
  </section>
)

type RowProps = {
  icon: ReactNode
  label: string
  source: string | null
  isLocked: boolean
  isChosen: boolean
  onChoose: () => void
}

const Row = ({ icon, label, source, isLocked, isChosen, onChoose }: RowProps) => {
  const { work, saving } = useSite()
  const isUnsaved = source !== null && isChanged(work.drafts.sources[source])
  const hasProblem = source !== null && Object.hasOwn(saving.problems, source)
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={onChoose}
        className={cx(
          'flex h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover touch:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
          isChosen && 'bg-accent-soft font-medium hover:bg-accent-soft',
        )}
      >
        <span aria-hidden className="text-faint">
          {icon}
        </span>
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {hasProblem ? <CircleAlert aria-label="Not saved" className="text-failed-mark" /> : null}
        {isUnsaved && !hasProblem ? (
          <span className="size-2 shrink-0 rounded-full bg-draft-mark">
            <span className="sr-only">Unsaved changes</span>
          </span>
        ) : null}
        {isLocked ? <Lock aria-label="Locked" className="text-faint" /> : null}
      </button>
    </li>
  )
}
