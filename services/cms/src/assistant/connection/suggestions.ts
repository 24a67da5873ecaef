import type { AiConnection } from '@stoa/cms-model/ai.ts'

/** Models to begin with, as of November 2026; any name can be typed. */
export const suggestions: AiConnection['suggestions'] = {
  a: ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5'],
  b: ['gpt-5.6', 'gpt-5.4-mini', 'gpt-5.4-nano'],
  local: ['qwen3:8b', 'gpt-oss:20b', 'llama3.1:8b', 'mistral-small3.2:24b'],
  cloud: ['gpt-oss:120b', 'qwen3-coder:480b', 'deepseek-v3.1:671b'],
}
