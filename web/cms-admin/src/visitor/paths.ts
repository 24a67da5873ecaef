export const VISITOR_PATH = '/visitor-assistant'
export const VISITOR_SETTINGS_PATH = '/visitor-assistant/settings'
/** Where the provider is connected. */
export const AI_PATH = '/settings/ai'
