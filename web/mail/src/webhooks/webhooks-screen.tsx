export const WebhooksScreen = () => null
