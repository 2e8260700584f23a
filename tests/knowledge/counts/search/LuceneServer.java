import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * The part of the Elasticsearch protocol that counts need, answered by Lucene, the library that Elasticsearch and
 * OpenSearch are made of. For tests, on loopback only. It also fails on demand (POST /_fail), as clusters do.
 */
public final class LuceneServer {
    private static final Analyzer ANALYZER = new StandardAnalyzer();
    private static final Map<String, Index> INDICES = new ConcurrentHashMap<>();
    private static final AtomicInteger SEARCHES = new AtomicInteger();
    private static final AtomicInteger REQUESTS = new AtomicInteger();
    private static volatile Fault fault = new Fault(0, 0, 0, 0, 0, "");
    private static volatile String authorization = "";

    /**
     * How the next requests (of a kind, as "_stats") fail: with a status, after a delay, or only some of the searches of
     * an _msearch and of the items of a _bulk, or by shards that have no place, which searches leave out.
     */
    private record Fault(int times, int status, int delay, int searches, int missing, String kind) {
        Fault less() {
            return new Fault(times - 1, status, delay, searches, missing, kind);
        }

        boolean turnsDown(int place) {
            return times > 0 && searches > 0 && place % searches == 0;
        }
    }

    private static final class Failure extends RuntimeException {
        final int status;
        final String type;

        Failure(int status, String type, String reason) {
            super(reason);
            this.status = status;
            this.type = type;
        }
    }

    private static final class Index {
        final String uuid = UUID.randomUUID().toString();
        final Map<String, String> types = new LinkedHashMap<>();
        final IndexWriter writer;
        DirectoryReader reader;
        long operations = 0;
        long refreshes = 0;
        boolean readable;

        Index(Map<String, Object> body) throws IOException {
            set(object(body.get("settings")));
            Map<String, Object> fields = object(object(body.get("mappings")).get("properties"));
            fields.forEach((name, field) -> types.put(name, (String) object(field).get("type")));
            writer = new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig(ANALYZER));
            writer.commit();
            reader = DirectoryReader.open(writer);
        }

        void set(Map<String, Object> settings) {
            readable = !Boolean.TRUE.equals(object(object(settings.get("index")).get("blocks")).get("read"));
        }

        synchronized void refresh() throws IOException {
            DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
            reader = newer == null ? reader : newer;
            refreshes += newer == null ? 0 : 1;
        }

        void put(String id, Map<String, Object> source) throws IOException {
            Document document = new Document();
            document.add(new StringField("_id", id, Field.Store.YES));
            source.forEach((name, value) -> {
                List<?> values = value instanceof List ? (List<?>) value : List.of(value);
                for (Object one : values) {
                    String type = types.computeIfAbsent(name, any -> "text");
                    if (type.equals("keyword")) document.add(new StringField(name, one.toString(), Field.Store.NO));
                    else if (type.equals("text")) document.add(new TextField(name, one.toString(), Field.Store.NO));
                }
            });
            writer.updateDocument(new Term("_id", id), document);
            operations++;
        }

        long count(Query query) throws IOException {
            return new IndexSearcher(reader).count(query);
        }
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", LuceneServer::handle);
        server.start();
        System.out.println("listening " + server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange) throws IOException {
        int status = 200;
        Object answer;
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        try {
            if (!path.startsWith("/_")) authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            answer = answer(exchange.getRequestMethod(), path, String.valueOf(exchange.getRequestURI().getQuery()), body);
        } catch (Failure failure) {
            status = failure.status;
            answer = error(failure);
        } catch (RuntimeException fault) {
            status = 500;
            answer = error(new Failure(500, "server_error", String.valueOf(fault)));
        }
        byte[] data = write(answer).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
        exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : data.length);
        if (!head) exchange.getResponseBody().write(data);
        exchange.close();
    }

    private static Object answer(String method, String path, String asked, String body) throws IOException {
        String[] parts = path.substring(1).split("/");
        if (path.equals("/_fail")) {
            Map<String, Object> told = object(parse(body));
            fault = new Fault(number(told, "times"), number(told, "status"), number(told, "delay"), number(told, "searches"),
                number(told, "missing"), (String) told.getOrDefault("kind", ""));
            return Map.of("acknowledged", true);
        }
        if (path.equals("/_seen"))
            return Map.of("searches", SEARCHES.get(), "requests", REQUESTS.get(), "authorization", authorization);
        REQUESTS.incrementAndGet();
        Fault now = fault;
        if (now.times > 0 && now.searches == 0 && now.missing == 0 && path.endsWith(now.kind)) {
            fault = now.less();
            if (now.delay > 0) sleep(now.delay);
            if (now.status > 0) throw new Failure(now.status, "unavailable", "as asked by the test");
        }
        if (path.equals("/")) {
            return Map.of("name", "test", "cluster_name", "test", "version", Map.of("number", "7.10.2"), "tagline",
                "You Know, for Search");
        }
        if (parts[0].equals("_bulk")) return bulk(null, body);
        if (parts[0].equals("_msearch")) return msearch(null, body);
        if (parts.length == 1) {
            switch (method) {
                case "PUT":
                    if (INDICES.containsKey(parts[0]))
                        throw new Failure(400, "resource_already_exists_exception", "index [" + parts[0] + "] already exists");
                    INDICES.put(parts[0], new Index(object(parse(body))));
                    return Map.of("acknowledged", true, "index", parts[0]);
                case "DELETE":
                    index(parts[0]);
                    INDICES.remove(parts[0]);
                    return Map.of("acknowledged", true);
                default:
                    index(parts[0]);
                    return Map.of(parts[0], Map.of());
            }
        }
        switch (parts[1]) {
            case "_bulk":
                return bulk(parts[0], body);
            case "_msearch":
                return msearch(parts[0], body);
            case "_refresh":
                index(parts[0]).refresh();
                return Map.of("_shards", Map.of("total", 1, "successful", 1, "failed", 0));
            case "_count":
                Query query = body.isBlank() ? new MatchAllDocsQuery() : query(object(parse(body)).get("query"));
                return Map.of("count", readable(parts[0]).count(query), "_shards", Map.of("total", 1, "successful", 1, "failed", 0));
            case "_field_caps":
                return fields(readable(parts[0]), asked);
            case "_settings":
                index(parts[0]).set(object(parse(body)));
                return Map.of("acknowledged", true);
            case "_stats":
                return stats(parts[0]);
            default:
                throw new Failure(400, "illegal_argument_exception", "no handler for " + path);
        }
    }

    private static Index index(String name) {
        Index index = INDICES.get(name);
        if (index == null) throw new Failure(404, "index_not_found_exception", "no such index [" + name + "]");
        return index;
    }

    private static Index readable(String name) {
        Index index = index(name);
        if (!index.readable) throw new Failure(403, "cluster_block_exception", "index [" + name + "] blocked by: read");
        return index;
    }

    private static Object fields(Index index, String asked) {
        Map<String, Object> found = new LinkedHashMap<>();
        for (String part : asked.split("&")) {
            String type = part.startsWith("fields=") ? index.types.get(part.substring(7)) : null;
            if (type != null)
                found.put(part.substring(7), Map.of(type, Map.of("type", type, "searchable", true, "aggregatable", false)));
        }
        return Map.of("fields", found);
    }

    private static Object stats(String name) throws IOException {
        Index index = index(name);
        Map<String, Object> shard = Map.of("routing", Map.of("state", "STARTED", "primary", true),
            "docs", Map.of("count", index.count(new MatchAllDocsQuery()), "deleted", 0),
            "refresh", Map.of("total", index.refreshes, "external_total", index.refreshes),
            "seq_no", Map.of("max_seq_no", index.operations - 1, "local_checkpoint", index.operations - 1));
        return Map.of("indices", Map.of(name, Map.of("uuid", index.uuid, "shards", Map.of("0", List.of(shard)))));
    }

    private static Object bulk(String index, String body) throws IOException {
        String[] lines = body.split("\n");
        List<Object> items = new ArrayList<>();
        boolean errors = false;
        for (int i = 0; i + 1 < lines.length; i += 2) {
            Map<String, Object> action = object(object(parse(lines[i])).get("index"));
            String name = (String) action.getOrDefault("_index", index);
            String id = String.valueOf(action.get("_id"));
            if (fault.turnsDown(i / 2)) {
                errors = true;
                items.add(Map.of("index", Map.of("_id", id, "status", fault.status, "error", Map.of("type", "rejected"))));
                fault = fault.less();
                continue;
            }
            try {
                index(name).put(id, object(parse(lines[i + 1])));
                items.add(Map.of("index", Map.of("_id", id, "status", 201, "result", "created")));
            } catch (IllegalArgumentException refused) {
                errors = true;
                items.add(Map.of("index", Map.of("_id", id, "status", 400, "error",
                    Map.of("type", "illegal_argument_exception", "reason", refused.getMessage()))));
            }
        }
        return Map.of("took", 1, "errors", errors, "items", items);
    }

    private static Object msearch(String index, String body) throws IOException {
        String[] lines = body.split("\n");
        List<Object> responses = new ArrayList<>();
        for (int i = 0; i + 1 < lines.length; i += 2) {
            SEARCHES.incrementAndGet();
            try {
                Fault now = fault;
                if (now.turnsDown(i / 2)) {
                    fault = now.less();
                    throw new Failure(now.status, "rejected", "as asked by the test");
                }
                String name = (String) object(parse(lines[i])).getOrDefault("index", index);
                long count = readable(name).count(query(object(parse(lines[i + 1])).get("query")));
                int missing = now.times > 0 ? now.missing : 0;
                if (missing > 0) {
                    fault = now.less();
                    count /= 1 + missing;
                }
                responses.add(Map.of("took", 1, "timed_out", false, "status", 200,
                    "_shards", Map.of("total", 1 + missing, "successful", 1, "skipped", 0, "failed", 0),
                    "hits", Map.of("total", Map.of("value", count, "relation", "eq"), "hits", List.of())));
            } catch (Failure failure) {
                responses.add(error(failure));
            }
        }
        return Map.of("took", 1, "responses", responses);
    }

    private static Map<String, Object> error(Failure failure) {
        return Map.of("error", Map.of("type", failure.type, "reason", String.valueOf(failure.getMessage())), "status", failure.status);
    }

    // Queries

    private static Query query(Object node) throws IOException {
        Map.Entry<String, Object> only = object(node).entrySet().iterator().next();
        switch (only.getKey()) {
            case "match_all":
                return new MatchAllDocsQuery();
            case "term": {
                Map.Entry<String, Object> field = object(only.getValue()).entrySet().iterator().next();
                return new TermQuery(new Term(field.getKey(), String.valueOf(value(field.getValue(), "value"))));
            }
            case "terms": {
                Map.Entry<String, Object> field = object(only.getValue()).entrySet().iterator().next();
                List<BytesRef> terms = new ArrayList<>();
                for (Object term : (List<?>) field.getValue()) terms.add(new BytesRef((String) term));
                return new TermInSetQuery(field.getKey(), terms);
            }
            case "match_phrase": {
                Map.Entry<String, Object> field = object(only.getValue()).entrySet().iterator().next();
                return phrase(field.getKey(), (String) value(field.getValue(), "query"));
            }
            case "bool":
                return bool(object(only.getValue()));
            default:
                throw new Failure(400, "parsing_exception", "unknown query [" + only.getKey() + "]");
        }
    }

    private static Object value(Object node, String name) {
        return node instanceof Map ? object(node).get(name) : node;
    }

    private static Query phrase(String field, String text) throws IOException {
        PhraseQuery.Builder builder = new PhraseQuery.Builder();
        int position = -1;
        try (TokenStream stream = ANALYZER.tokenStream(field, new StringReader(text))) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                position += step.getPositionIncrement();
                builder.add(new Term(field, term.toString()), position);
            }
            stream.end();
        }
        return position < 0 ? new MatchNoDocsQuery() : builder.build();
    }

    private static Query bool(Map<String, Object> node) throws IOException {
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        for (Map.Entry<String, Object> part : node.entrySet()) {
            if (part.getKey().equals("minimum_should_match")) {
                builder.setMinimumNumberShouldMatch(((Number) part.getValue()).intValue());
                continue;
            }
            BooleanClause.Occur occur = switch (part.getKey()) {
                case "filter" -> BooleanClause.Occur.FILTER;
                case "must" -> BooleanClause.Occur.MUST;
                case "should" -> BooleanClause.Occur.SHOULD;
                default -> throw new Failure(400, "parsing_exception", "unknown clause [" + part.getKey() + "]");
            };
            for (Object one : (List<?>) part.getValue()) builder.add(query(one), occur);
        }
        return builder.build();
    }

    // JSON

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object node) {
        return node instanceof Map ? (Map<String, Object>) node : new LinkedHashMap<>();
    }

    private static int number(Map<String, Object> node, String name) {
        return node.get(name) instanceof Number found ? found.intValue() : 0;
    }

    private static void sleep(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static Object parse(String text) {
        int[] at = {0};
        Object node = parse(text, at);
        skip(text, at);
        if (at[0] < text.length()) throw new Failure(400, "parsing_exception", "more than one value in a line");
        return node;
    }

    private static void skip(String text, int[] at) {
        while (at[0] < text.length() && Character.isWhitespace(text.charAt(at[0]))) at[0]++;
    }

    private static Object parse(String text, int[] at) {
        skip(text, at);
        if (at[0] >= text.length()) throw new Failure(400, "parsing_exception", "unexpected end");
        char c = text.charAt(at[0]);
        if (c == '{' || c == '[') {
            Map<String, Object> members = new LinkedHashMap<>();
            List<Object> items = new ArrayList<>();
            at[0]++;
            skip(text, at);
            while (text.charAt(at[0]) != (c == '{' ? '}' : ']')) {
                if (c == '{') {
                    skip(text, at);
                    String name = string(text, at);
                    skip(text, at);
                    at[0]++;
                    members.put(name, parse(text, at));
                } else {
                    items.add(parse(text, at));
                }
                skip(text, at);
                if (text.charAt(at[0]) == ',') at[0]++;
                skip(text, at);
            }
            at[0]++;
            return c == '{' ? members : items;
        }
        if (c == '"') return string(text, at);
        int start = at[0];
        while (at[0] < text.length() && ",]} \n\r\t".indexOf(text.charAt(at[0])) < 0) at[0]++;
        String word = text.substring(start, at[0]);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> Double.valueOf(word);
        };
    }

    private static String string(String text, int[] at) {
        StringBuilder out = new StringBuilder();
        at[0]++;
        while (text.charAt(at[0]) != '"') {
            char c = text.charAt(at[0]++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(at[0]++);
            if (c == 'u') {
                out.append((char) Integer.parseInt(text.substring(at[0], at[0] + 4), 16));
                at[0] += 4;
            } else {
                int known = "bfnrt".indexOf(c);
                out.append(known < 0 ? c : "\b\f\n\r\t".charAt(known));
            }
        }
        at[0]++;
        return out.toString();
    }

    private static String write(Object node) {
        StringBuilder out = new StringBuilder();
        write(node, out);
        return out.toString();
    }

    private static void write(Object node, StringBuilder out) {
        if (node instanceof Map<?, ?> members) {
            String before = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                write(member.getKey(), out.append(before));
                write(member.getValue(), out.append(':'));
                before = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (node instanceof List<?> items) {
            String before = "[";
            for (Object item : items) {
                write(item, out.append(before));
                before = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (node instanceof String text) {
            out.append('"');
            for (char c : text.toCharArray()) {
                if (c == '"' || c == '\\') out.append('\\').append(c);
                else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
                else out.append(c);
            }
            out.append('"');
        } else {
            out.append(node);
        }
    }
}
