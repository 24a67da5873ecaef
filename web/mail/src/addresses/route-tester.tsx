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
    <Panel title="Test routing" description="Enter an address to see where its mail is delivered.">
      <div className="flex flex-col gap-3">
        <Field label="Mail to" help="A name at this domain, or a full address.">
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
            You have more addresses than this test can check. Aliases of the others may change the result.
          </p>
        ) : null}
        <Order />
      </div>
    </Panel>
  )
}

const steps = [
  'An address with this name',
  'An alias with this name, then both without the part after +',
  'An alias with *, longest match first',
  "The domain's catch-all address",
  'The same name at the fallback domain',
  'Otherwise the message is rejected and the sender is notified',
]

const Order = () => (
  <Disclosure summary={<span className="text-muted">How addresses are matched</span>}>
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
        title: 'Rejected: this address is turned off',
        text: <Leads id={answer.address.id}>{answer.address.email}</Leads>,
      }
    case 'owner':
      return {
        tone: 'info',
        title: 'Delivered to you',
        text: "No mailbox has this address, so mail goes to your account's email address.",
      }
    case 'unknown':
      return {
        tone: 'danger',
        title: `Rejected: ${whole} doesn't exist`,
        text: 'Add it as an alias, or set a catch-all address for the domain.',
      }
    case 'unverified':
      return {
        tone: 'warning',
        title: 'Not verified',
        text: `${answer.domain} can't receive mail until its ownership is verified.`,
      }
    case 'foreign':
      return {
        tone: 'info',
        title: 'Sent to another server',
        text: `${answer.domain} isn't one of your domains.`,
      }
    case 'malformed':
      return { tone: 'warning', title: 'Not an email address', text: 'Enter an address like name@example.com.' }
  }
}

const WAYS: Record<Way, string> = {
  address: 'Matches the address.',
  detail: 'Matches the address, ignoring the part after +.',
  alias: 'Matches an alias.',
  pattern: 'Matches an alias',
  catch_all: 'No address or alias matches, so it goes to the catch-all.',
}

const reached = ({ address, way, name, fallback }: Extract<Answer, { kind: 'mailbox' }>, own: string): Said => {
  const kept = address.forward_to.length === 0 || address.keep_copy
  return {
    tone: 'success',
    title: address.id === own ? 'Delivered to this mailbox' : `Delivered to ${address.email}`,
    text: (
      <>
        {way === 'pattern' ? `${WAYS.pattern}: ${name}.` : WAYS[way]}
        {fallback === null ? '' : ` Found at the fallback domain ${fallback}.`}
        {address.forward_to.length === 0
          ? ''
          : ` Then forwarded to ${address.forward_to.join(', ')}${kept ? '' : ', without keeping a copy'}.`}{' '}
        {address.id === own ? null : <Leads id={address.id}>Open address</Leads>}
      </>
    ),
  }
}

const Leads = ({ id, children }: { id: string; children: ReactNode }) => (
  <TextLink to={`/addresses/${id}`}>{children}</TextLink>
)

const domainOf = ({ email, local_part: local }: Address): string => email.slice(local.length + 1)
