export const WebhookScreen = () => null
