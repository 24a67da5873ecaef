import type { Address } from '@stoa/mail-model/addresses.ts'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice, type NoticeTone } from '@stoa/ui/feedback/notice.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { allAddressesQuery } from './queries.ts'
import { type Answer, traceName, type Way } from './routing.ts'

/** Says where mail to any name of the customer's domains goes, without sending one. */
export const RouteTester = ({ address }: { address: Address }) => {
  const [text, setText] = useState('')
  const name = text.trim()
  const whole = name === '' || name.includes('@') ? name : `${name}@${domainOf(address)}`
  const query = useQuery({ ...allAddressesQuery, enabled: name !== '' })
  return (
    <Panel title="Where would it go?" description="Try a name: this is what happens to mail that is sent to it.">
      <div className="flex flex-col gap-3">
        <Field label="Mail to" help="A name at this domain, or a whole address.">
          <Input
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={`sales@${domainOf(address)}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="email"
          />
        </Field>
        <div role="status">
          {name === '' ? null : query.data ? (
            <Verdict answer={traceName(whole, query.data)} whole={whole} own={address.id} />
          ) : query.error ? (
            <Notice tone="danger">{messageOf(query.error)}</Notice>
          ) : (
            <Skeleton className="h-10" />
          )}
        </div>
        {name !== '' && query.data && !query.data.complete ? (
          <p className="text-faint text-xs">
            You have more addresses than this looked through: aliases of the others may lead elsewhere.
          </p>
        ) : null}
        <Order />
      </div>
    </Panel>
  )
}

const steps = [
  'an address of that name',
  'an alias of that name; then both without what follows a +',
  'an alias with a *, the longest first',
  'the catch-all address of the domain',
  'the same name at the fallback domain',
  'otherwise the mail is rejected, and its sender is told',
]

const Order = () => (
  <Disclosure summary={<span className="text-muted">In which order names are looked for</span>}>
    <ol className="list-decimal pt-2 pl-5 text-muted">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </Disclosure>
)

type Said = { tone: NoticeTone; title: ReactNode; text: ReactNode }

const Verdict = ({ answer, whole, own }: { answer: Answer; whole: string; own: string }) => {
  const { tone, title, text } = say(answer, whole, own)
  return (
    <Notice tone={tone} title={<span className="break-words">{title}</span>}>
      {text}
    </Notice>
  )
}

const say = (answer: Answer, whole: string, own: string): Said => {
  switch (answer.kind) {
    case 'mailbox':
      return reached(answer, own)
    case 'off':
      return {
        tone: 'danger',
        title: 'Rejected: the mailbox is off',
        text: <Leads id={answer.address.id}>{answer.address.email}</Leads>,
      }
    case 'owner':
      return {
        tone: 'info',
        title: 'To you',
        text: 'Nobody has this address, so mail to it goes to the e-mail address of your account.',
      }
    case 'unknown':
      return {
        tone: 'danger',
        title: `Rejected: nobody is ${whole}`,
        text: 'Add it as an alias, or set a catch-all address for the domain.',
      }
    case 'unverified':
      return {
        tone: 'warning',
        title: 'Not yet',
        text: `${answer.domain} does not receive mail until its ownership is verified.`,
      }
    case 'foreign':
      return {
        tone: 'info',
        title: 'Elsewhere',
        text: `${answer.domain} is not a domain of yours: mail to it leaves this server.`,
      }
    case 'malformed':
      return { tone: 'warning', title: 'This is not an address', text: 'Write it as name@domain.' }
  }
}

const WAYS: Record<Way, string> = {
  address: 'It is the address itself.',
  detail: 'It is the address; what follows the + is left out.',
  alias: 'It is an alias.',
  pattern: 'An alias with a * fits',
  catch_all: 'No name fits, so the catch-all takes it.',
}

const reached = ({ address, way, name, fallback }: Extract<Answer, { kind: 'mailbox' }>, own: string): Said => {
  const kept = address.forward_to.length === 0 || address.keep_copy
  return {
    tone: 'success',
    title: address.id === own ? 'Into this mailbox' : `Into ${address.email}`,
    text: (
      <>
        {way === 'pattern' ? `${WAYS.pattern}: ${name}.` : WAYS[way]}
        {fallback === null ? '' : ` Found at the fallback domain ${fallback}.`}
        {address.forward_to.length === 0
          ? ''
          : ` Then on to ${address.forward_to.join(', ')}${kept ? '' : ', and not kept'}.`}{' '}
        {address.id === own ? null : <Leads id={address.id}>Open it</Leads>}
      </>
    ),
  }
}

const Leads = ({ id, children }: { id: string; children: ReactNode }) => (
  <TextLink to={`/addresses/${id}`}>{children}</TextLink>
)

const domainOf = ({ email, local_part: local }: Address): string => email.slice(local.length + 1)
