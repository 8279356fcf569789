-- A database of sessions as version 0.1.0 wrote it, killed while a turn and a call ran.
PRAGMA auto_vacuum = 2;
PRAGMA application_id = 1417106252;
PRAGMA user_version = 1;
CREATE TABLE projects (
    key INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    keep_days INTEGER NOT NULL
  );
CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects (key),
    id TEXT NOT NULL,
    -- The folded SessionInfo as JSON. The columns after it repeat parts of it for queries.
    info TEXT NOT NULL,
    updated INTEGER NOT NULL,
    position INTEGER NOT NULL,
    UNIQUE (project, id)
  );
CREATE INDEX sessions_by_time ON sessions (project, updated DESC, id);
CREATE TABLE events (
    session INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at INTEGER NOT NULL,
    v INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, position)
  ) WITHOUT ROWID;
CREATE TABLE live (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    -- The key of the process that wrote the row.
    writer INTEGER NOT NULL,
    -- The message or call.
    source TEXT NOT NULL,
    data TEXT NOT NULL
  );
CREATE INDEX live_by_source ON live (session, source);
CREATE TABLE processes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    pid INTEGER NOT NULL,
    start_time TEXT,
    machine TEXT NOT NULL,
    renewed INTEGER NOT NULL
  );
CREATE TABLE claims (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    process INTEGER NOT NULL,
    why TEXT NOT NULL
  );
CREATE INDEX claims_by_session ON claims (session);
CREATE TABLE times (
    name TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
INSERT INTO projects (key, root, keep_days) VALUES (1, '/project', 90);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (1, 1, 'complete', '{"id":"complete","project":"/project","directory":"/project","agent":"demo","status":"idle","turn":"idle","createdAt":1795036685949,"updatedAt":1795036685951,"position":13,"openCalls":[],"openQuestions":[],"title":"A title","defaultTitle":"Say hello 😀"}', 1795036685951, 13);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (2, 1, 'branch', '{"id":"branch","project":"/project","directory":"/project","agent":"demo","status":"interrupted","turn":"interrupted","createdAt":1795036685953,"updatedAt":1795036685953,"position":9,"openCalls":[],"openQuestions":[],"title":"Say hello 😀","defaultTitle":"Say hello 😀","branchOf":{"sessionID":"complete","position":8}}', 1795036685953, 9);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (3, 1, 'waiting', '{"id":"waiting","project":"/project","directory":"/project","status":"waiting","turn":"idle","createdAt":1795036685955,"updatedAt":1795036685955,"position":6,"openCalls":[],"openQuestions":["q2"],"title":"Ask","defaultTitle":"Ask"}', 1795036685955, 6);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (4, 1, 'open-call', '{"id":"open-call","project":"/project","directory":"/project","status":"running","turn":"idle","createdAt":1795036685956,"updatedAt":1795036685957,"position":4,"openCalls":["c1"],"openQuestions":[],"title":"Call","defaultTitle":"Call"}', 1795036685957, 4);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (5, 1, 'sub-agent', '{"id":"sub-agent","project":"/project","directory":"/project","agent":"demo","status":"idle","turn":"idle","createdAt":1795036685957,"updatedAt":1795036685958,"position":3,"openCalls":[],"openQuestions":[],"parent":{"sessionID":"complete","callID":"c1"},"title":"Look","defaultTitle":"Look"}', 1795036685958, 3);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (6, 1, 'turn', '{"id":"turn","project":"/project","directory":"/project","status":"waiting","turn":"running","createdAt":1795036685959,"updatedAt":1795036685960,"position":4,"openCalls":["c1"],"openQuestions":["q3"],"title":"Run","defaultTitle":"Run"}', 1795036685960, 4);
INSERT INTO sessions (key, project, id, info, updated, position) VALUES (7, 1, 'call', '{"id":"call","project":"/project","directory":"/project","status":"running","turn":"idle","createdAt":1795036685961,"updatedAt":1795036685962,"position":2,"openCalls":["c1"],"openQuestions":[]}', 1795036685962, 2);
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 1, 1795036685949, 1, 'session.start', '{"directory":"/project","agent":"demo","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 2, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"session","key":"mode","value":"bypass"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 3, 1795036685951, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Say hello 😀"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 4, 1795036685951, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","input":{"name":"😀"}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 5, 1795036685951, 1, 'question.asked', '{"type":"question.asked","questionID":"q1","callID":"c1","tool":"hello","agent":"demo","reason":"May I?","kind":"permission","input":{},"access":[{"kind":"undeclared"}],"choices":["once","session"],"rules":[],"settingsFile":"/home/settings.json"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 6, 1795036685951, 1, 'question.answered', '{"type":"question.answered","questionID":"q1","allowed":true,"remember":"session"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 7, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"session","key":"grants","value":[{"tool":"hello","action":"allow"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 8, 1795036685951, 1, 'tool.complete', '{"type":"tool.complete","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","result":{"ok":true,"content":[{"type":"text","text":"Hello!"}],"notes":{"durationMs":1}}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 9, 1795036685951, 1, 'message.complete', '{"type":"message.complete","messageID":"m1","content":[{"type":"text","text":"Hello!"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 10, 1795036685951, 1, 'usage', '{"type":"usage","inputTokens":3,"outputTokens":4}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 11, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"agent","key":"session","value":{"agent":"demo","id":"demo-1","sessionID":"complete"}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 12, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"session","key":"title","value":"A title"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (1, 13, 1795036685951, 1, 'session.idle', '{"type":"session.idle","text":"Hello!"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 1, 1795036685949, 1, 'session.start', '{"directory":"/project","agent":"demo","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 2, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"session","key":"mode","value":"bypass"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 3, 1795036685951, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Say hello 😀"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 4, 1795036685951, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","input":{"name":"😀"}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 5, 1795036685951, 1, 'question.asked', '{"type":"question.asked","questionID":"q1","callID":"c1","tool":"hello","agent":"demo","reason":"May I?","kind":"permission","input":{},"access":[{"kind":"undeclared"}],"choices":["once","session"],"rules":[],"settingsFile":"/home/settings.json"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 6, 1795036685951, 1, 'question.answered', '{"type":"question.answered","questionID":"q1","allowed":true,"remember":"session"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 7, 1795036685951, 1, 'state.set', '{"type":"state.set","of":"session","key":"grants","value":[{"tool":"hello","action":"allow"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 8, 1795036685951, 1, 'tool.complete', '{"type":"tool.complete","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","result":{"ok":true,"content":[{"type":"text","text":"Hello!"}],"notes":{"durationMs":1}}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (2, 9, 1795036685953, 1, 'session.interrupted', '{"type":"session.interrupted","reason":"This session is a branch. What was running at this point continues only in the session that it was branched from.","calls":[],"questions":[]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 1, 1795036685955, 1, 'session.start', '{"directory":"/project","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 2, 1795036685955, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Ask"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 3, 1795036685955, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","input":{}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 4, 1795036685955, 1, 'question.asked', '{"type":"question.asked","questionID":"q2","callID":"c1","tool":"hello","agent":"demo","reason":"May I?","kind":"permission","input":{},"access":[{"kind":"undeclared"}],"choices":["once","session"],"rules":[],"settingsFile":"/home/settings.json"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 5, 1795036685955, 1, 'tool.complete', '{"type":"tool.complete","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","result":{"ok":true,"content":[{"type":"text","text":"Hello!"}],"notes":{"durationMs":1}}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (3, 6, 1795036685955, 1, 'session.idle', '{"type":"session.idle"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (4, 1, 1795036685956, 1, 'session.start', '{"directory":"/project","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (4, 2, 1795036685957, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Call"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (4, 3, 1795036685957, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","input":{}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (4, 4, 1795036685957, 1, 'session.idle', '{"type":"session.idle"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (5, 1, 1795036685957, 1, 'session.start', '{"directory":"/project","agent":"demo","parent":{"sessionID":"complete","callID":"c1"},"type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (5, 2, 1795036685958, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Look"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (5, 3, 1795036685958, 1, 'session.idle', '{"type":"session.idle","text":"Looked."}');
INSERT INTO events (session, position, at, v, type, data) VALUES (6, 1, 1795036685959, 1, 'session.start', '{"directory":"/project","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (6, 2, 1795036685960, 1, 'message.user', '{"type":"message.user","messageID":"m0","content":[{"type":"text","text":"Run"}]}');
INSERT INTO events (session, position, at, v, type, data) VALUES (6, 3, 1795036685960, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"demo","input":{}}');
INSERT INTO events (session, position, at, v, type, data) VALUES (6, 4, 1795036685960, 1, 'question.asked', '{"type":"question.asked","questionID":"q3","callID":"c1","tool":"hello","agent":"demo","reason":"May I?","kind":"permission","input":{},"access":[{"kind":"undeclared"}],"choices":["once","session"],"rules":[],"settingsFile":"/home/settings.json"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (7, 1, 1795036685961, 1, 'session.start', '{"directory":"/project","type":"session.start"}');
INSERT INTO events (session, position, at, v, type, data) VALUES (7, 2, 1795036685962, 1, 'tool.start', '{"type":"tool.start","callID":"c1","tool":"hello","messageID":"m1","agent":"","input":{}}');
INSERT INTO live (seq, session, writer, source, data) VALUES (1, 6, 1, 'message:m9', '{"type":"message.delta","messageID":"m9","text":"never complete"}');
INSERT INTO processes (key, pid, start_time, machine, renewed) VALUES (1, 2404, '345985', 'a-machine/a-boot/a-namespace', 1795036685962);
INSERT INTO claims (key, session, process, why) VALUES (1, 6, 1, 'turn');
INSERT INTO claims (key, session, process, why) VALUES (2, 7, 1, 'call');
INSERT INTO times (name, at) VALUES ('checked', 1795036685947);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('processes', 1);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('sessions', 7);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('claims', 2);
INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('live', 1);
