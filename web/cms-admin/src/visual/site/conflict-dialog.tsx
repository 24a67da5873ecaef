import { menuItems } from '@stoa/cms-model/menus.ts'
import { TITLE_KEY } from '@stoa/cms-model/visual.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { type ReactNode, useId, useState } from 'react'
import { ContentDiff } from '../../diff/content-diff.tsx'
import { changeOf } from '../../entries/session/changes-between.ts'
import { dataMember } from '../../entries/session/values.ts'
import { type Difference, differencesOf, type Side } from './drafts.ts'
import { settingLabels } from './setting-labels.ts'
import { type SiteView, useSite } from './site-context.ts'
import { nameOfSource, type SiteSource } from './sources.ts'
import type { SourceConflict } from './use-saving.ts'

/** Shows what someone else saved meanwhile, and asks what to keep. Nothing is written while it is open. */
export const ConflictDialog = () => {
  const { conflict } = useSite().saving
  return conflict ? <Decision key={conflict.key} conflict={conflict} /> : null
}

const Decision = ({ conflict }: { conflict: SourceConflict }) => {
  const { work, saving } = useSite()
  const { key, source, by, theirs } = conflict
  const draft = work.drafts.sources[key]
  const differences = draft ? differencesOf(draft, theirs) : []
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const isDecided = differences.every(({ member, mine }) => mine === undefined || sides[member] !== undefined)
  const who = by ?? 'Someone else'
  return (
    <Dialog
      open
      onOpenChange={saving.postpone}
      role="alertdialog"
      size="lg"
      title={`${who} also changed ${nameOfSource(source)}`}
      description="Your changes aren't saved yet. Choose what to keep."
      footer={
        <>
          <Button className="mr-auto" onClick={saving.postpone}>
            Keep editing
          </Button>
          <Button onClick={() => saving.resolve(() => 'theirs')}>Use theirs</Button>
          <Button onClick={() => saving.resolve(() => 'mine')}>Use mine</Button>
          <Button
            variant="primary"
            disabled={!isDecided}
            onClick={() => saving.resolve((member) => sides[member] ?? 'mine')}
          >
            Save selection
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {differences.length === 0 ? (
          <p>They changed nothing that you see here. Save again to keep your changes.</p>
        ) : null}
        {differences.map((difference) => (
          <DifferenceChoice
            key={difference.member}
            source={source}
            who={who}
            difference={difference}
            chosen={sides[difference.member]}
            onChoose={(side) => setSides({ ...sides, [difference.member]: side })}
          />
        ))}
      </div>
    </Dialog>
  )
}

type DifferenceChoiceProps = {
  source: SiteSource
  who: string
  difference: Difference
  chosen: Side | undefined
  onChoose: (side: Side) => void
}

const DifferenceChoice = ({ source, who, difference, chosen, onChoose }: DifferenceChoiceProps) => {
  const name = useId()
  const site = useSite()
  const { member, before, theirs, mine } = difference
  const shown = (value: unknown) => <Shown source={source} member={member} before={before} value={value} />
  const side = (value: Side, label: string) => (
    <RadioChoice<Side | ''>
      name={name}
      value={value}
      chosen={chosen ?? ''}
      onChoose={() => onChoose(value)}
      label={label}
    />
  )
  return (
    <div className="rounded-lg border border-line p-4">
      <ChoiceGroup
        label={labelOf(site, source, member)}
        {...(mine ? {} : { help: `Changed by ${who} only. It's kept.` })}
      >
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <Column>
            {mine ? side('theirs', `Theirs (${who})`) : null}
            {shown(theirs)}
          </Column>
          {mine ? (
            <Column>
              {side('mine', 'Mine')}
              {shown(mine.value)}
            </Column>
          ) : null}
        </div>
      </ChoiceGroup>
    </div>
  )
}

const Column = ({ children }: { children: ReactNode }) => <div className="flex min-w-0 flex-col gap-2">{children}</div>

type ShownProps = { source: SiteSource; member: string; before: unknown; value: unknown }

const Shown = ({ source, member, before, value }: ShownProps) => {
  const { types } = useSite()
  const type = source.kind === 'entry' ? types.find(({ name }) => name === source.type) : undefined
  if (type) {
    const path = member === TITLE_KEY ? 'title' : dataMember(member)
    return (
      <ContentDiff type={type} changes={[{ ...changeOf(type, path, before, value), label: 'Compared with before' }]} />
    )
  }
  if (source.kind === 'menu') return <Links items={value} />
  return <p className="break-words text-ink text-sm">{wordsFor(source, member, value)}</p>
}

const Links = ({ items }: { items: unknown }) => {
  const read = menuItems.safeParse(items)
  if (!read.success || read.data.length === 0) return <p className="text-muted text-sm">No links</p>
  return (
    <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto text-sm">
      {read.data.map(({ id, label, url }) => (
        <li key={id} className="min-w-0 truncate">
          {label} <span className="text-faint">{url ?? 'Entry'}</span>
        </li>
      ))}
    </ul>
  )
}

const wordsFor = (source: SiteSource, member: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return source.kind === 'design' ? 'Original' : 'Empty'
  if (member === 'logoId' || member === 'socialImageId') return 'Another image'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const labelOf = ({ design, types }: SiteView, source: SiteSource, member: string): string => {
  switch (source.kind) {
    case 'menu':
      return 'Links'
    case 'settings':
      return Object.hasOwn(settingLabels, member) ? Reflect.get(settingLabels, member) : member
    case 'entry':
      if (member === TITLE_KEY) return 'Title'
      return types.find(({ name }) => name === source.type)?.fields.find(({ key }) => key === member)?.label ?? member
    case 'design': {
      const surface = design.surfaces.find(({ id }) => id === source.surface)
      return surface?.properties.find(({ key }) => key === member)?.label ?? member
    }
  }
}
