-- One request after another, as the environment says. In BENCH_PATH and BENCH_BODY, @c stands for one of
-- BENCH_CONVERSATIONS, taken in turn, and @n for a number that no other request has. Each thread sends to one of
-- BENCH_URLS.
local method = os.getenv("BENCH_METHOD")
local path = os.getenv("BENCH_PATH")
local body = os.getenv("BENCH_BODY")
local conversations = {}
local changes_path = string.find(path, "@", 1, true)
local changes_body = body and string.find(body, "@", 1, true)
local threads, run, count = 0, "", 0

wrk.headers["Content-Type"] = "application/json"
for name, value in string.gmatch(os.getenv("BENCH_HEADERS") or "", "([^:\n]+): ([^\n]+)") do
  wrk.headers[name] = value
end
for id in string.gmatch(os.getenv("BENCH_CONVERSATIONS") or "", "%x+") do
  conversations[#conversations + 1] = id
end

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
  local urls = {}
  for host, port in string.gmatch(os.getenv("BENCH_URLS"), "http://([^:,]+):(%d+)") do
    urls[#urls + 1] = wrk.lookup(host, port)[1]
  end
  thread.addr = urls[(threads - 1) % #urls + 1]
end

function init()
  run = tostring(os.time()) .. "-" .. number .. "-"
end

local function fill(text)
  local filled = string.gsub(text, "@(.)", {
    c = conversations[count % math.max(#conversations, 1) + 1],
    n = run .. count,
  })
  return filled
end

function request()
  count = count + 1
  return wrk.format(method, changes_path and fill(path) or path, nil, changes_body and fill(body) or body)
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("BENCH %d %d %.3f %.3f %.3f %d %d\n", summary.requests, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    e.status, e.connect + e.read + e.write + e.timeout))
end
