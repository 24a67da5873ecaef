import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useLeaveQuestion } from '@stoa/ui/navigation/leave-question.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronRight, SearchX } from 'lucide-react'
import { mailboxQuery } from '../queries.ts'
import { type Finding, findTopics, type Section, sectionOf, sections } from './sections.tsx'
import { StorageBar } from './storage-bar.tsx'

/** How the owner of the mailbox wants it; the part that is shown is in the address. */
export const WebmailSettingsScreen = () => {
  const url = useUrlState()
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  const phone = useIsPhone()
  const section = sectionOf(url.get('section'))
  const words = url.get('q')
  const guarded = useLeaveQuestion('in this section')
  const go = (id: string) => guarded.run(() => url.set({ ...CLEARED, section: id }))
  const search = (
    <UrlSearch
      label="Search settings"
      shortcut={false}
      value={words}
      onSearch={(q) => (q === '' || words !== '' ? url.set({ q }) : guarded.run(() => url.set({ q })))}
    />
  )
  const navigation = phone ? (
    <Select
      aria-label="Section"
      value={section.id}
      onValue={go}
      options={sections.map(({ id, label }) => ({ value: id, label }))}
    />
  ) : (
    <SectionList current={words ? undefined : section} onGo={go} />
  )
  return (
    <>
      <title>{`${section.label} · Settings · Stoa Mail`}</title>
      <PageHeader title="Settings" description={mailbox.email} actions={phone ? undefined : search} />
      <div className="flex min-w-0 gap-8 phone:flex-col phone:gap-4">
        <div className="flex shrink-0 flex-col gap-6 desk:sticky desk:top-0 desk:w-52 desk:self-start phone:gap-3">
          {phone ? <div className="flex">{search}</div> : null}
          {navigation}
          <StorageBar mailbox={mailbox} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-6">
          {words ? (
            <Findings found={findTopics(words)} words={words} onGo={go} onClear={() => url.set({ q: '' })} />
          ) : (
            <section.Content key={section.id} />
          )}
        </div>
      </div>
      {guarded.dialog}
    </>
  )
}

// URL parameters of one section mean nothing to another
const CLEARED = { q: '', new: '', filter: '', contact: '', page: '', sort: '', direction: '' }

type SectionListProps = { current: Section | undefined; onGo: (id: string) => void }

const SectionList = ({ current, onGo }: SectionListProps) => (
  <nav aria-label="Settings">
    <ul className="flex flex-col gap-0.5">
      {sections.map((section) => (
        <li key={section.id}>
          <button
            type="button"
            aria-current={section === current ? 'page' : undefined}
            onClick={() => onGo(section.id)}
            className={cx(
              'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2 py-1 text-left text-sm transition-colors touch:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
              section === current
                ? 'bg-pressed font-medium text-ink'
                : 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint',
            )}
          >
            <section.Icon aria-hidden />
            <span className="min-w-0 flex-1">{section.label}</span>
          </button>
        </li>
      ))}
    </ul>
  </nav>
)

type FindingsProps = {
  found: readonly Finding[]
  words: string
  onGo: (id: string) => void
  onClear: () => void
}

/** Search results: a press opens that part of the settings. */
const Findings = ({ found, words, onGo, onClear }: FindingsProps) => {
  if (found.length === 0)
    return (
      <EmptyState
        icon={<SearchX />}
        title={`No settings match “${words}”`}
        action={<Button onClick={onClear}>Show all settings</Button>}
      />
    )
  return found.map(({ section, topics }) => (
    <Panel key={section.id} title={section.label} flush>
      <ul className="flex flex-col py-1">
        {topics.map(({ label }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => onGo(section.id)}
              className="flex min-h-9 w-full items-center gap-2 px-5 text-left text-ink text-sm outline-offset-[-2px] hover:bg-hover touch:min-h-11"
            >
              <span className="min-w-0 flex-1">{label}</span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  ))
}
