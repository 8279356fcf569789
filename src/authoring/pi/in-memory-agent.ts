import { randomBytes, randomUUID } from "node:crypto";

type Credential = Readonly<Record<string, unknown>>;

/** Credentials that live as long as the object. Toolwright stores no API keys of model providers, so it begins empty. */
export class AuthStorage {
  readonly #credentials: Map<string, Credential>;
  readonly #keys = new Map<string, string>();

  private constructor(credentials: Readonly<Record<string, Credential>>) {
    this.#credentials = new Map(Object.entries(credentials));
  }

  static create(): AuthStorage {
    return new AuthStorage({});
  }

  static fromStorage(): AuthStorage {
    return new AuthStorage({});
  }

  static inMemory(data: Readonly<Record<string, Credential>> = {}): AuthStorage {
    return new AuthStorage(data);
  }

  setRuntimeApiKey(provider: string, key: string): void {
    this.#keys.set(provider, key);
  }

  removeRuntimeApiKey(provider: string): void {
    this.#keys.delete(provider);
  }

  get(provider: string): Credential | undefined {
    return this.#credentials.get(provider);
  }

  set(provider: string, credential: Credential): void {
    this.#credentials.set(provider, credential);
  }

  remove(provider: string): void {
    this.#credentials.delete(provider);
  }

  logout(provider: string): void {
    this.remove(provider);
  }

  list(): string[] {
    return [...this.#credentials.keys()];
  }

  getAll(): Record<string, Credential> {
    return Object.fromEntries(this.#credentials);
  }

  has(provider: string): boolean {
    return this.#credentials.has(provider);
  }

  hasAuth(provider: string): boolean {
    return this.#keys.has(provider) || this.has(provider);
  }

  async getApiKey(provider: string): Promise<string | undefined> {
    const { key } = this.get(provider) ?? {};
    return this.#keys.get(provider) ?? (typeof key === "string" ? key : undefined);
  }

  getAuthStatus(provider: string): { configured: boolean } {
    return { configured: this.hasAuth(provider) };
  }

  getOAuthProviders(): [] {
    return [];
  }

  drainErrors(): [] {
    return [];
  }

  setFallbackResolver(): void {}

  reload(): void {}
}

/** A registry without models. The models of a session are in `ctx.modelRegistry`. */
export class ModelRegistry {
  static create(): ModelRegistry {
    return new ModelRegistry();
  }

  static inMemory(): ModelRegistry {
    return new ModelRegistry();
  }

  getAll(): [] {
    return [];
  }

  getAvailable(): [] {
    return [];
  }

  getRegisteredProviderIds(): [] {
    return [];
  }

  find(): undefined {}

  getError(): undefined {}

  getProvider(): undefined {}

  hasConfiguredAuth(): boolean {
    return false;
  }

  isUsingOAuth(): boolean {
    return false;
  }

  async getApiKeyForProvider(): Promise<undefined> {}

  async getProviderAuth(): Promise<undefined> {}

  async getApiKeyAndHeaders(): Promise<{ ok: false; error: string }> {
    return { ok: false, error: "Toolwright stores no API keys of model providers." };
  }

  getProviderDisplayName(provider: string): string {
    return provider;
  }

  async refresh(): Promise<void> {}

  registerProvider(): void {}

  unregisterProvider(): void {}
}

interface Entry {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** A session that lives as long as the object. No session file is read or written: `ctx.sessionManager` has the real session. */
export class SessionManager {
  readonly #cwd: string;
  readonly #id = randomUUID();
  readonly #entries: Entry[] = [];
  #leaf: string | null = null;

  private constructor(cwd: string) {
    this.#cwd = cwd;
  }

  static inMemory(cwd: string = process.cwd()): SessionManager {
    return new SessionManager(cwd);
  }

  static create(cwd?: string): SessionManager {
    return SessionManager.inMemory(cwd);
  }

  static open(_path: string, _folder?: string, cwd?: string): SessionManager {
    return SessionManager.inMemory(cwd);
  }

  static continueRecent(cwd?: string): SessionManager {
    return SessionManager.inMemory(cwd);
  }

  static async list(): Promise<[]> {
    return [];
  }

  static async listAll(): Promise<[]> {
    return [];
  }

  static findById(): undefined {}

  isPersisted(): boolean {
    return false;
  }

  getCwd(): string {
    return this.#cwd;
  }

  getSessionId(): string {
    return this.#id;
  }

  getSessionDir(): string {
    return "";
  }

  getSessionFile(): undefined {}

  getHeader(): null {
    return null;
  }

  getSessionName(): string | undefined {
    const named = this.#entries.findLast(({ type }) => type === "session_info");
    return typeof named?.name === "string" ? named.name : undefined;
  }

  appendMessage(message: unknown): string {
    return this.#append("message", { message });
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append("custom", { customType, data });
  }

  appendSessionInfo(name: string): string {
    return this.#append("session_info", { name });
  }

  appendModelChange(provider: string, modelId: string): string {
    return this.#append("model_change", { provider, modelId });
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    return this.#append("thinking_level_change", { thinkingLevel });
  }

  appendLabelChange(targetId: string, label?: string): string {
    return this.#append("label", { targetId, label });
  }

  getLabel(id: string): string | undefined {
    const found = this.#entries.findLast(({ type, targetId }) => type === "label" && targetId === id);
    return typeof found?.label === "string" ? found.label : undefined;
  }

  getEntries(): Entry[] {
    return [...this.#entries];
  }

  getEntry(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  getChildren(parentId: string): Entry[] {
    return this.#entries.filter((entry) => entry.parentId === parentId);
  }

  getLeafId(): string | null {
    return this.#leaf;
  }

  getLeafEntry(): Entry | undefined {
    return this.#leaf === null ? undefined : this.getEntry(this.#leaf);
  }

  getBranch(fromId: string | null = this.#leaf): Entry[] {
    const entry = fromId === null ? undefined : this.getEntry(fromId);
    return entry ? [...this.getBranch(entry.parentId), entry] : [];
  }

  buildSessionContext(): { messages: unknown[] } {
    return { messages: this.getBranch().flatMap(({ type, message }) => (type === "message" ? [message] : [])) };
  }

  branch(id: string): void {
    this.#leaf = id;
  }

  resetLeaf(): void {
    this.#leaf = null;
  }

  #append(type: string, fields: Readonly<Record<string, unknown>>): string {
    const id = randomBytes(4).toString("hex");
    this.#entries.push({ ...fields, type, id, parentId: this.#leaf, timestamp: new Date().toISOString() });
    this.#leaf = id;
    return id;
  }
}
