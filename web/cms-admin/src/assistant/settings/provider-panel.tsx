import { type AiConnection, type AiKind, aiKinds } from '@stoa/cms-model/ai.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import type { Form } from '@stoa/ui/form/use-form.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { KeyRound, LogIn } from 'lucide-react'
import { useId, useState } from 'react'
import { startAiOauth } from '../queries.ts'
import { ConnectionTest } from './connection-test.tsx'
import { type AiValues, DEFAULT_ADDRESS, providers } from './values.ts'

type ProviderPanelProps = { ai: AiConnection; form: Form<AiValues> }

/** Who answers, with which model and which key. */
export const ProviderPanel = ({ ai, form }: ProviderPanelProps) => {
  const { kind } = form.values
  const models = useId()
  const suggestions = ai.suggestions[kind]
  return (
    <Panel title="Provider">
      <div className="flex min-w-0 flex-col gap-5">
        <KindCards
          value={kind}
          onValue={(next) =>
            form.set({
              kind: next,
              model: ai.kind === next ? (ai.model ?? '') : (ai.suggestions[next][0] ?? ''),
              apiKey: '',
            })
          }
        />
        <div className="flex min-w-0 max-w-prose flex-col gap-4">
          <Field
            label="Model"
            help={
              suggestions.length > 0
                ? `For example ${suggestions.slice(0, 3).join(', ')}. Any name works.`
                : 'Any model name your provider supports'
            }
            error={form.errors.model}
          >
            <Input {...form.text('model')} list={models} autoCapitalize="none" spellCheck={false} autoComplete="off" />
            <datalist id={models}>
              {suggestions.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </Field>
          {kind === 'local' ? (
            <Field
              label="Base URL"
              optional
              help={`The URL of your model server. Leave empty for ${DEFAULT_ADDRESS}.`}
              error={form.errors.baseUrl}
            >
              <Input
                {...form.text('baseUrl')}
                type="url"
                autoCapitalize="none"
                spellCheck={false}
                placeholder={DEFAULT_ADDRESS}
              />
            </Field>
          ) : (
            <Credential key={kind} ai={ai} form={form} />
          )}
        </div>
        <ConnectionTest ai={ai} values={form.values} />
      </div>
    </Panel>
  )
}

type KindCardsProps = { value: AiKind; onValue: (kind: AiKind) => void }

const KindCards = ({ value, onValue }: KindCardsProps) => {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Provider</legend>
      <div className="grid min-w-0 gap-3 sm:grid-cols-2">
        {aiKinds.map((kind) => (
          <label
            key={kind}
            className={cx(
              'flex min-w-0 cursor-pointer items-start gap-3 rounded-lg border px-3.5 py-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-ring',
              value === kind ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={value === kind}
              onChange={() => onValue(kind)}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-control bg-surface checked:border-[0.3125rem] checked:border-accent"
            />
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="font-medium text-ink text-sm">{providers[kind].label}</span>
              <span className="text-muted text-xs">{providers[kind].help}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The key: how it ends, and the way to another one. */
const Credential = ({ ai, form }: ProviderPanelProps) => {
  const { kind } = form.values
  const stored = ai.kind === kind ? ai.credential : null
  const [isReplacing, setReplacing] = useState(false)
  const offersOauth = kind === 'a' && ai.oauthAvailable
  if (stored && !isReplacing)
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <span className="font-medium text-ink text-sm">{stored.from === 'key' ? 'API key' : 'Account'}</span>
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="flex min-w-0 items-center gap-2 text-muted text-sm">
            <KeyRound aria-hidden className="size-4 text-faint" />
            {stored.from === 'key' ? (
              <code className="font-mono text-xs">{stored.last4 === '' ? 'Stored' : `•••••••• ${stored.last4}`}</code>
            ) : (
              'Connected with OAuth'
            )}
          </span>
          <Button size="sm" onClick={() => setReplacing(true)}>
            {stored.from === 'key' ? 'Replace' : 'Use an API key'}
          </Button>
          {offersOauth ? <OauthButton model={form.values.model.trim()} isAgain={stored.from === 'oauth'} /> : null}
        </div>
      </div>
    )
  return (
    <>
      <Field
        label="API key"
        help={`${providers[kind].keyHelp} It's stored encrypted and never shown again.`}
        error={form.errors.apiKey}
        action={
          stored ? (
            <button
              type="button"
              className="text-accent-ink hover:underline"
              onClick={() => {
                form.set({ apiKey: '' })
                setReplacing(false)
              }}
            >
              Keep the stored key
            </button>
          ) : undefined
        }
      >
        <PasswordInput {...form.text('apiKey')} autoComplete="new-password" />
      </Field>
      {offersOauth ? <OauthButton model={form.values.model.trim()} isAgain={false} /> : null}
    </>
  )
}

/** Goes to the provider's consent page, which leads back here. */
const OauthButton = ({ model, isAgain }: { model: string; isAgain: boolean }) => {
  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      const { url } = await startAiOauth(model)
      window.location.assign(url)
    } catch (error) {
      setLeaving(false)
      toast({ tone: 'danger', title: "Couldn't start connecting", description: messageOf(error) })
    }
  }
  return (
    <span>
      <Button size={isAgain ? 'sm' : 'md'} icon={<LogIn />} loading={isLeaving} onClick={() => void leave()}>
        {isAgain ? 'Connect again' : 'Connect with an Anthropic account'}
      </Button>
    </span>
  )
}
