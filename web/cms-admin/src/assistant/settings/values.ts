import type { AiConnection, AiConnectionInput, AiKind, AiTestInput } from '@stoa/cms-model/ai.ts'

/** The connection as it is typed. */
export type AiValues = {
  kind: AiKind
  model: string
  baseUrl: string
  /** Empty keeps the one that is stored. */
  apiKey: string
  siteTokensPerDay: string
  userTokensPerDay: string
  visitorTokensPerDay: string
  contextTokens: string
  compactTools: boolean
  retentionDays: string
}

export type ProviderInfo = { label: string; help: string; needsKey: boolean; keyHelp: string }

/** The kinds of providers, in the order in which they are offered. */
export const providers: Readonly<Record<AiKind, ProviderInfo>> = {
  a: {
    label: 'Anthropic',
    help: 'Claude models, with an API key from console.anthropic.com',
    needsKey: true,
    keyHelp: 'Create one at console.anthropic.com.',
  },
  b: {
    label: 'OpenAI',
    help: 'GPT models, with an API key from platform.openai.com',
    needsKey: true,
    keyHelp: 'Create one at platform.openai.com.',
  },
  local: {
    label: 'Ollama on your server',
    help: 'Open models you run yourself. Your content stays on your machines.',
    needsKey: false,
    keyHelp: '',
  },
  cloud: {
    label: 'Ollama Cloud',
    help: 'Open models hosted by Ollama, with an API key from ollama.com',
    needsKey: true,
    keyHelp: 'Create one at ollama.com.',
  },
}

export const DEFAULT_ADDRESS = 'http://127.0.0.1:11434'

export const valuesOf = (ai: AiConnection): AiValues => ({
  kind: ai.kind ?? 'a',
  model: ai.model ?? '',
  baseUrl: ai.baseUrl ?? '',
  apiKey: '',
  siteTokensPerDay: String(ai.limits.siteTokensPerDay),
  userTokensPerDay: String(ai.limits.userTokensPerDay),
  visitorTokensPerDay: String(ai.limits.visitorTokensPerDay),
  contextTokens: String(ai.contextTokens),
  compactTools: ai.compactTools,
  retentionDays: String(ai.retentionDays),
})

const numbers = {
  siteTokensPerDay: [0, 1_000_000_000],
  userTokensPerDay: [0, 1_000_000_000],
  visitorTokensPerDay: [0, 1_000_000_000],
  contextTokens: [2_048, 1_048_576],
  retentionDays: [1, 3_650],
} as const

const isKept = (ai: AiConnection, { kind }: AiValues): boolean => ai.kind === kind && ai.credential !== null

/** Mistakes that the browser can find; the service checks the rest. */
export const problemsOf = (ai: AiConnection, values: AiValues): Partial<Record<keyof AiValues, string>> => {
  const wrong = Object.entries(numbers).flatMap(([name, [min, max]]) => {
    const text = String(Reflect.get(values, name)).trim()
    const isFine = /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max
    return isFine
      ? []
      : [[name, `Enter a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`]]
  })
  const lacksKey = providers[values.kind].needsKey && values.apiKey.trim() === '' && !isKept(ai, values)
  return {
    ...Object.fromEntries(wrong),
    ...(values.model.trim() === '' ? { model: 'Enter the name of a model.' } : {}),
    ...(lacksKey ? { apiKey: `Enter an API key for ${providers[values.kind].label}.` } : {}),
  }
}

/** The provider to test; without a key the service uses the stored one. */
const providerOf = ({ kind, model, baseUrl, apiKey }: AiValues): AiTestInput => ({
  kind,
  model: model.trim(),
  ...(kind === 'local' ? { baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim() } : {}),
  ...(providers[kind].needsKey && apiKey.trim() !== '' ? { apiKey: apiKey.trim() } : {}),
})

export const testOf = providerOf

/** Everything is sent: there is one connection, and it is replaced as a whole. */
export const inputOf = (values: AiValues): AiConnectionInput => ({
  ...providerOf(values),
  limits: {
    siteTokensPerDay: Number(values.siteTokensPerDay),
    userTokensPerDay: Number(values.userTokensPerDay),
    visitorTokensPerDay: Number(values.visitorTokensPerDay),
  },
  contextTokens: Number(values.contextTokens),
  compactTools: values.compactTools,
  retentionDays: Number(values.retentionDays),
})
