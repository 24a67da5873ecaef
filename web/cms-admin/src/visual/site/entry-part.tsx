import { MAX_TITLE_LENGTH } from '@stoa/cms-model/entries.ts'
import { TITLE_KEY } from '@stoa/cms-model/visual.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { may } from '../../allowed.tsx'
import { contentPath } from '../../content-path.ts'
import { entryQuery } from '../../entries/queries.ts'
import { rightsOf } from '../../entries/session/rights.ts'
import { StatusChips } from '../../entries/status.tsx'
import { FieldEditor } from '../../fields/field-editor.tsx'
import { isChanged } from './drafts.ts'
import { LockedNotice, SaveSource, SourceProblem, useChange } from './part-panel.tsx'
import { useSite } from './site-context.ts'
import { type EntryPart, entryKey } from './sources.ts'

type EntryPartEditorProps = { part: EntryPart; isDraftHidden: boolean }

/** The fields of the entry that a part shows. */
export const EntryPartEditor = ({ part, isDraftHidden }: EntryPartEditorProps) =>
  part.state.entryId === null ? (
    <Missing part={part} />
  ) : (
    <Opened part={part} entryId={part.state.entryId} isDraftHidden={isDraftHidden} />
  )

const Missing = ({ part: { state } }: { part: EntryPart }) => {
  const { me, types } = useSite()
  const label = types.find(({ name }) => name === state.type)?.label
  if (state.missing === 'entry')
    return (
      <>
        <Notice title="Nothing to show yet">
          This part shows the entry “{label ?? state.type}”, which doesn't exist yet. Until you create it, the website
          shows its own text.
        </Notice>
        {may(me, 'content.write') ? (
          <LinkButton to={contentPath(state.type)} className="self-start">
            {`Create ${label ?? state.type}`}
          </LinkButton>
        ) : null}
      </>
    )
  return (
    <>
      <Notice title="Content type missing">
        This part needs a content type named “{state.type}” with a single entry, and there is none. Until someone
        creates it, the website shows its own text.
      </Notice>
      {may(me, 'types.manage') ? (
        <LinkButton to="/types" className="self-start">
          Open content types
        </LinkButton>
      ) : null}
    </>
  )
}

const Opened = ({ part, entryId, isDraftHidden }: EntryPartEditorProps & { entryId: string }) => {
  const { me, work } = useSite()
  const { data: entry } = useQuery(entryQuery(entryId))
  const { state } = part
  const source = entryKey(entryId)
  const reason = entry ? rightsOf(me, entry).reason : undefined
  const status = entry ?? {
    status: state.status ?? 'draft',
    pending: state.pending,
    publishAt: null,
    unpublishAt: null,
  }
  const isUnsaved = isChanged(work.drafts.sources[source])
  const isDraft = state.status === 'draft' || state.pending || isUnsaved
  return (
    <>
      <StatusChips entry={status} />
      {state.canEdit ? null : <LockedNotice>{reason ?? "You can't edit this entry."}</LockedNotice>}
      {isDraftHidden ? (
        <Notice>
          The page shows the published version, because this content type has no preview URL. Your changes are still
          saved.
        </Notice>
      ) : null}
      <SourceProblem source={source} />
      <Fields part={part} source={source} />
      {state.canEdit ? (
        <SaveSource source={source}>
          {may(me, 'content.publish') ? <Publish entryId={entryId} isDraft={isDraft} isUnsaved={isUnsaved} /> : null}
          {isDraft ? (
            <p className="w-full text-faint text-xs">Visitors see your changes after you publish them.</p>
          ) : null}
        </SaveSource>
      ) : null}
    </>
  )
}

const Publish = ({ entryId, isDraft, isUnsaved }: { entryId: string; isDraft: boolean; isUnsaved: boolean }) => {
  const { saving } = useSite()
  return (
    <Button variant="primary" disabled={!isDraft} loading={saving.isSaving} onClick={() => saving.publish(entryId)}>
      {isUnsaved ? 'Save and publish' : 'Publish'}
    </Button>
  )
}

const Fields = ({ part, source }: { part: EntryPart; source: string }) => {
  const { types, work, saving } = useSite()
  const change = useChange(source, part.label)
  const values = work.drafts.sources[source]?.values ?? {}
  const problems = saving.problems[source]?.fields ?? []
  const fields = types.find(({ name }) => name === part.state.type)?.fields ?? []
  const disabled = !part.state.canEdit
  return part.source.fields.map((key) => {
    if (key === TITLE_KEY)
      return (
        <Field key={key} label="Title" error={problems.find((problem) => problem.key === 'title')?.message}>
          <Input
            value={String(values[TITLE_KEY] ?? '')}
            maxLength={MAX_TITLE_LENGTH}
            disabled={disabled}
            autoComplete="off"
            onChange={({ target }) => change({ [TITLE_KEY]: target.value })}
          />
        </Field>
      )
    const field = fields.find((candidate) => candidate.key === key)
    return field ? (
      <FieldEditor
        key={key}
        field={field}
        value={values[key]}
        onChange={(value) => change({ [key]: value })}
        path={key}
        problems={problems.filter((problem) => problem.key === key || problem.key.startsWith(`${key}.`))}
        disabled={disabled}
      />
    ) : null
  })
}
