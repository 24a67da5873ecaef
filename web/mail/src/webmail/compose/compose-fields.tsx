import { Button } from '@stoa/ui/button/button.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { mailIdentitiesQuery } from '../queries.ts'
import { swapSignature, swapTextSignature } from './document/signature.ts'
import { formatRecipient } from './recipients/recipients.ts'
import { RecipientsField } from './recipients/recipients-field.tsx'
import { type ComposeWindow, editLetter, replaceBody, updateWindow } from './windows.ts'

/** From, to, copies and subject. */
export const ComposeFields = ({ one }: { one: ComposeWindow }) => {
  const { shownFields } = one
  const show = (field: 'cc' | 'bcc') => updateWindow(one.id, { shownFields: { ...one.shownFields, [field]: true } })
  return (
    <div className="shrink-0 phone:max-h-[45dvh] phone:overflow-y-auto">
      <FromField one={one} />
      <RecipientsField
        one={one}
        field="to"
        label="To"
        autoFocus={one.focus === 'to'}
        action={
          <>
            {shownFields.cc ? null : (
              <Button size="sm" variant="ghost" onClick={() => show('cc')}>
                Cc
              </Button>
            )}
            {shownFields.bcc ? null : (
              <Button size="sm" variant="ghost" onClick={() => show('bcc')}>
                Bcc
              </Button>
            )}
          </>
        }
      />
      {shownFields.cc ? (
        <RecipientsField one={one} field="cc" label="Cc" autoFocus={one.letter.cc.length === 0} />
      ) : null}
      {shownFields.bcc ? (
        <RecipientsField one={one} field="bcc" label="Bcc" autoFocus={one.letter.bcc.length === 0} />
      ) : null}
      <SubjectField one={one} />
    </div>
  )
}

const FromField = ({ one }: { one: ComposeWindow }) => {
  const id = useId()
  const { data } = useQuery(mailIdentitiesQuery)
  const identities = data?.data ?? []
  const problem = one.fieldProblems.from
  if (identities.length < 2 && problem === undefined) return null
  const choose = (identityId: string) => {
    const find = (wanted: string | null) => identities.find((identity) => identity.id === wanted) ?? null
    const { body } = one.letter
    replaceBody(
      one.id,
      body.format === 'html'
        ? { format: 'html', doc: swapSignature(body.doc, find(identityId)) }
        : { format: 'text', text: swapTextSignature(body.text, find(one.letter.identityId), find(identityId)) },
    )
    editLetter(one.id, () => ({ identityId }))
    if (problem !== undefined) updateWindow(one.id, { fieldProblems: { ...one.fieldProblems, from: undefined } })
  }
  return (
    <div className="border-line border-b px-3 py-1">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="w-12 shrink-0 text-muted text-sm">
          From
        </label>
        <Select
          id={id}
          value={one.letter.identityId ?? ''}
          options={identities.map(({ id: value, name, email }) => ({
            value,
            label: formatRecipient({ name: name || null, email }),
          }))}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : `${id}-error`}
          onValue={choose}
          className="[&>select]:border-transparent [&>select]:bg-transparent [&>select]:pl-1 [&>select]:text-sm [&>select]:shadow-none"
        />
      </div>
      {problem === undefined ? null : <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  )
}

const SubjectField = ({ one }: { one: ComposeWindow }) => {
  const id = useId()
  const problem = one.fieldProblems.subject
  return (
    <div className="border-line border-b px-3 py-1">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="w-12 shrink-0 text-muted text-sm">
          Subject
        </label>
        <input
          id={id}
          value={one.letter.subject}
          maxLength={998}
          autoComplete="off"
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : `${id}-error`}
          onChange={(event) => {
            editLetter(one.id, () => ({ subject: event.target.value }))
            if (problem !== undefined)
              updateWindow(one.id, { fieldProblems: { ...one.fieldProblems, subject: undefined } })
          }}
          className="h-7 min-w-0 flex-1 bg-transparent font-medium text-sm outline-none touch:h-10 touch:text-md"
        />
      </div>
      {problem === undefined ? null : <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  )
}
